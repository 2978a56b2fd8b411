/// The loop that turns batches into pushes.
package tandem.worker;
