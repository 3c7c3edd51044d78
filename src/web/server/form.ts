import type { Faults, Form, FormOutcome, FormVisit, Sent } from './visit.ts';

/** A form on this page, for who is signed in. */
export const ownForm = (page: string, act: Form['act']): Form => ({ page, isPrivate: true, act });

/** A form on this page, for everybody. */
export const openForm = (page: string, act: Form['act']): Form => ({ page, isPrivate: false, act });

/** Back to the form, with what was typed and what is wrong with it. */
export const again = ({ page }: Pick<FormVisit, 'page'>, sent: Sent, faults: Faults): FormOutcome => ({
  to: page,
  flash: { page, values: sent.values(), faults },
});

/** On to a page, which shows the note. */
export const told = (to: string, note: string): FormOutcome => ({
  to,
  flash: { page: to.split('?')[0]!, note },
});

/** What is wrong of all that can be; undefined: nothing. */
export function faultsIn(possible: Record<string, string | false>): Faults | undefined {
  const faults = Object.entries(possible).filter((one): one is [string, string] => one[1] !== false);
  return faults.length > 0 ? Object.fromEntries(faults) : undefined;
}
