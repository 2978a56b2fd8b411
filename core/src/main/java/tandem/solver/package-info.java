/// How weights move, at the worker and where the weight lives.
package tandem.solver;
