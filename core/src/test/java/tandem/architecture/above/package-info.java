/// A layer that may know the one below it.
package tandem.architecture.above;
