import type { FieldErrors, SubmittedForm } from './submitted-form.ts';
import type { FormHandler, FormOutcome, FormVisit } from './visit.ts';

export const privateForm = (page: string, handle: FormHandler['handle']): FormHandler => ({ page, handle });

export const publicForm = (page: string, handle: FormHandler['handle']): FormHandler => ({
  page,
  isPublic: true,
  handle,
});

/** Redirects back to the form, which shows the typed values and the errors. */
export const redisplayForm = (
  { page }: Pick<FormVisit, 'page'>,
  form: SubmittedForm,
  errors: FieldErrors,
): FormOutcome => ({
  redirectTo: page,
  flash: { page, values: form.redisplayValues(), errors },
});

export const redirectWithNote = (redirectTo: string, note: string): FormOutcome => ({
  redirectTo,
  flash: { page: redirectTo.split('?')[0]!, note },
});

/** Keeps the errors that apply (`false`: does not apply). Returns undefined if there are none. */
export function collectErrors(possibleErrors: Record<string, string | false>): FieldErrors | undefined {
  const errors = Object.entries(possibleErrors).filter(
    (entry): entry is [string, string] => entry[1] !== false,
  );
  return errors.length > 0 ? Object.fromEntries(errors) : undefined;
}
