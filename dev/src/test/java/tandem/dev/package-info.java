/// Checks of the repository itself.
package tandem.dev;
