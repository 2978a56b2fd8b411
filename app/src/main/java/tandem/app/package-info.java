/// The command line.
package tandem.app;
