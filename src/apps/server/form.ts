import type { FieldErrors, Outcome, SubmittedForm } from './submitted-form.ts';

/** A handler of a form. FV: the visit that it receives. O: the outcome that it returns. */
export type FormHandlerOf<FV, O extends Outcome> = {
  /** The route of the page that has the form; errors are redirected there. */
  pageRoute: string;
  /** Builds the query of the page's URL, if the page needs a query. */
  buildPageQuery?(form: SubmittedForm): string;
  isPublic?: true;
  /** The call may take longer than the time limit of pages. */
  isSlow?: true;
  handle(visit: FV, form: SubmittedForm): Promise<O>;
};

/** Defines a form of a page. The form requires a session. */
export const defineSessionForm = <FV, O extends Outcome>(
  pageRoute: string,
  handle: FormHandlerOf<FV, O>['handle'],
): FormHandlerOf<FV, O> => ({ pageRoute, handle });

/** Defines a form of a page. Visitors may submit the form without a session. */
export const definePublicForm = <FV, O extends Outcome>(
  pageRoute: string,
  handle: FormHandlerOf<FV, O>['handle'],
): FormHandlerOf<FV, O> => ({ pageRoute, isPublic: true, handle });

/** Redirects back to the form, which shows the typed values and the errors. `pageQuery`: the query of the page's URL. */
export const redisplayForm = (
  { pagePath, pageQuery }: { pagePath: string; pageQuery?: string | undefined },
  form: SubmittedForm,
  errors: FieldErrors,
): Outcome => ({
  redirectTo: pageQuery ? `${pagePath}?${pageQuery}` : pagePath,
  flash: { pagePath, values: form.listRedisplayableValues(), errors },
});

export const redirectWithNote = (redirectTo: string, note: string): Outcome => ({
  redirectTo,
  flash: { pagePath: redirectTo.split('?')[0]!, note },
});

/** Collects the errors that apply (`false`: does not apply). Returns undefined if there are none. */
export function collectErrors(possibleErrors: Record<string, string | false>): FieldErrors | undefined {
  const errors = Object.entries(possibleErrors).filter(
    (entry): entry is [string, string] => entry[1] !== false,
  );
  return errors.length > 0 ? Object.fromEntries(errors) : undefined;
}
