/// How fast, beside whom: each benchmark prints Tandem and its peers, interleaved in one run.
package tandem.bench;
