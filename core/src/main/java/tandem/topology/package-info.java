/// Who sends to whom when workers put their numbers together, and what each way costs.
package tandem.topology;
