/** One element of an EMV code: two digits of id, two digits of length, that many characters. */
export type Tlv = { readonly id: string; readonly value: string };

export type TlvFault = { readonly reason: 'truncated' | 'length_mismatch'; readonly detail: string };

/** A value that does not fit is a bug of the caller, which knows the limits of its fields. */
export function writeTlv(fields: readonly Tlv[]): string {
  return fields
    .map(({ id, value }) => {
      if (value.length > 99)
        throw new RangeError(`field ${id} has ${value.length} characters; 99 is the most`);
      return id + String(value.length).padStart(2, '0') + value;
    })
    .join('');
}

/** Reads the whole text as a sequence of elements; `where` names the enclosing template in the fault. */
export function readTlv(text: string, where = ''): Tlv[] | TlvFault {
  const fields: Tlv[] = [];
  const inside = where === '' ? '' : ` inside field ${where}`;
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
    // The template's length was right for its parent, so what does not fit inside is a wrong length, not a truncation.
    const short = where === '' ? 'truncated' : 'length_mismatch';
    if (head.length < 4) return { reason: short, detail: `ends within an id or length${inside}: "${head}"` };
    const id = head.slice(0, 2);
    const length = Number(head.slice(2));
    const value = text.slice(position + 4, position + 4 + length);
    if (value.length < length) {
      return {
        reason: short,
        detail: `field ${id}${inside} says ${length} characters, ${value.length} are left`,
      };
    }
    fields.push({ id, value });
    position += 4 + length;
  }
  return fields;
}
