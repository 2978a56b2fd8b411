/// The same nodes under virtual time: seeded, one step at a time, with the network and machines as parameters.
package tandem.simulate;
