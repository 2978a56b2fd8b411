/// Examples packed into batches of sorted sparse rows: readers, the binary cache, generators.
package tandem.data;
