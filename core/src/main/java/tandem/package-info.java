/// The front door: describe a job, train it, keep the model.
package tandem;
