/// Who may know whom and what pure code may not touch, with classes that break each rule on purpose.
package tandem.architecture;
