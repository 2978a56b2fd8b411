/// A trained model: its directory, its provenance, and the scores it gives.
package tandem.model;
