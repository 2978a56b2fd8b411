/// Arithmetic on primitive arrays, giving the same bits cold and warm.
package tandem.math;
