/// Where nodes really run: threads of this process, and processes of their own.
package tandem.runtime;
