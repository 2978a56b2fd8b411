/// What a run tells: numbers, files, pictures.
package tandem.report;
