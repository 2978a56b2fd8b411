/// What is to be minimised: loss, regulariser and their certificate of optimality.
package tandem.problem;
