/** An element of an EMV code: a two-digit id, a two-digit length, and that many characters. */
export type Tlv = { readonly id: string; readonly value: string };

export type TlvError = { readonly reason: 'truncated' | 'length_mismatch'; readonly detail: string };

/** Writes elements. A value that does not fit is a bug of the caller, which knows the limits of its fields. */
export function writeTlv(fields: readonly Tlv[]): string {
  return fields
    .map(({ id, value }) => {
      if (value.length > 99)
        throw new RangeError(`field ${id} has ${value.length} characters; the maximum is 99`);
      return id + String(value.length).padStart(2, '0') + value;
    })
    .join('');
}

/** Reads the whole text as a sequence of elements. `parentId` is the id of the enclosing element, for error messages. */
export function readTlv(text: string, parentId = ''): Tlv[] | TlvError {
  const fields: Tlv[] = [];
  const inside = parentId === '' ? '' : ` inside field ${parentId}`;
  let position = 0;
  while (position < text.length) {
    const head = text.slice(position, position + 4);
    if (!/^\d{1,4}$/.test(head)) {
      const after = fields.length === 0 ? 'at the start' : `after field ${fields.at(-1)?.id}`;
      return {
        reason: 'length_mismatch',
        detail: `expected an id and a length ${after}${inside}, found "${head}"`,
      };
    }
    // The enclosing element had the right length, so a value that does not fit inside has a wrong length and is not truncated.
    const reason = parentId === '' ? 'truncated' : 'length_mismatch';
    if (head.length < 4) return { reason, detail: `ends within an id or length${inside}: "${head}"` };
    const id = head.slice(0, 2);
    const length = Number(head.slice(2));
    const value = text.slice(position + 4, position + 4 + length);
    if (value.length < length) {
      return {
        reason,
        detail: `field ${id}${inside} has a length of ${length}, but only ${value.length} characters are left`,
      };
    }
    fields.push({ id, value });
    position += 4 + length;
  }
  return fields;
}
