/// A layer that knows a layer above it, against its table.
package tandem.architecture.below;
