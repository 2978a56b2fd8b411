/// Ranges of keys, their values, and the rule that changes them.
package tandem.server;
