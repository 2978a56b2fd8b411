/// A worker's side of the tables: requests out, answers in, and the calls that its loop makes.
package tandem.client;
