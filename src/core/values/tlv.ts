/** A field of an EMV code: a two-digit id, a two-digit length, and that many characters. */
export type Tlv = { readonly id: string; readonly value: string };

export type TlvError = { readonly reason: 'truncated' | 'length_mismatch'; readonly detail: string };

/** Writes fields. Throws for a value that does not fit: the caller must check the limits of its fields. */
export function writeTlv(fields: readonly Tlv[]): string {
  return fields
    .map(({ id, value }) => {
      if (value.length > 99)
        throw new RangeError(`field ${id} has ${value.length} characters; the maximum is 99`);
      return id + String(value.length).padStart(2, '0') + value;
    })
    .join('');
}

/** Reads the whole text as a sequence of fields. `parentId` is the id of the enclosing field, for error messages. */
export function readTlv(text: string, parentId = ''): Tlv[] | TlvError {
  const fields: Tlv[] = [];
  const parentText = parentId === '' ? '' : ` inside field ${parentId}`;
  let position = 0;
  while (position < text.length) {
    const header = text.slice(position, position + 4);
    if (!/^\d{1,4}$/.test(header)) {
      const precedingText = fields.length === 0 ? 'at the start' : `after field ${fields.at(-1)?.id}`;
      return {
        reason: 'length_mismatch',
        detail: `expected an id and a length ${precedingText}${parentText}, found "${header}"`,
      };
    }
    // The enclosing field had the right length, so a value that does not fit inside has a wrong length and is not truncated.
    const reason = parentId === '' ? 'truncated' : 'length_mismatch';
    if (header.length < 4) return { reason, detail: `ends within an id or length${parentText}: "${header}"` };
    const id = header.slice(0, 2);
    const length = Number(header.slice(2));
    const value = text.slice(position + 4, position + 4 + length);
    if (value.length < length) {
      return {
        reason,
        detail: `field ${id}${parentText} has a length of ${length}, but only ${value.length} characters are left`,
      };
    }
    fields.push({ id, value });
    position += 4 + length;
  }
  return fields;
}
