/// What a message leaves out or packs smaller on its way, and how it is restored.
/// Knows rows and bytes, not nodes: a filter never sees who sends or receives.
package tandem.filter;
