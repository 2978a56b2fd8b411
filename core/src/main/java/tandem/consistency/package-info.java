/// How far a worker may run ahead, and what it waits for.
package tandem.consistency;
