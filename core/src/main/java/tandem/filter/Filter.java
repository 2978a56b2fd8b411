package tandem.filter;

/// One way to make messages smaller. A [Stack] of them works on the keys and values of a table in one
/// direction: first rows are left out ([Choice]), then numbers are said in fewer bytes ([Numbers]), then
/// bytes are squeezed ([Bytes]); keys go their own way ([KeyCache], [KeyCoder]). To write one, implement the
/// interface of its kind and give it a name with [Filters#with], on both ends.
///
/// Every filter has a setting under which what arrives is what was sent, bit for bit; the others say what they lose.
public sealed interface Filter permits Choice, Numbers, Bytes, KeyCache, KeyCoder {}
