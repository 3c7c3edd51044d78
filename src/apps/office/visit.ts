import type { ComponentChildren } from 'preact';
import type { Role, StaffClient, StaffSchemas } from '#staff-client';
import type { FormHandlerOf } from '../server/form.ts';
import type { PageResult } from '../server/page.ts';
import type { DownloadOf, FormSubmission } from '../server/personal-routes.ts';
import type { Flash, Outcome } from '../server/submitted-form.ts';

export type StaffUser = { id: string; name: string; role: Role; email: string | null };
type SignInState = StaffSchemas['StaffEntered'];

/** A flash of the office. The fields added here are never stored in the cookie: they are rendered in the response to the form. */
export type OfficeFlash = Flash & {
  /** Another user changed the record after the form was rendered. */
  isConflict?: boolean;
  /** The result of a trial of the action, which changed nothing. Rendered above the form. */
  trialResult?: ComponentChildren;
};

/** What a page of the office is rendered from. */
export type OfficeVisit = {
  /** Calls the staff API with the session of the user. */
  api: StaffClient;
  /** Undefined until the sign-in is complete, second factor included. */
  user: StaffUser | undefined;
  /** A sign-in whose second factor is missing. */
  pendingSignIn: Pick<SignInState, 'next' | 'methods'> | undefined;
  path: string;
  params: Record<string, string>;
  search: URLSearchParams;
  flash: OfficeFlash | undefined;
  isSandbox: boolean;
  /** The URL of the site; null: no links to it. */
  publicSiteUrl: string | null;
  createFormKey(): string;
};

export type OfficePageHandler = (visit: OfficeVisit) => Promise<PageResult>;

export type OfficeOutcome = Outcome & {
  /** The content of the session cookie. Its inner `session` is the token for the staff API; `next` is the next step of the sign-in. */
  session?: Pick<SignInState, 'session' | 'next' | 'methods' | 'person'> & {
    /** The page to open once the second factor is confirmed; set only while it is missing. */
    pageAfterSignIn?: string;
  };
  endsSession?: true;
};

export type OfficeFormVisit = FormSubmission &
  Pick<OfficeVisit, 'api' | 'user' | 'isSandbox'> & {
    /** The visit of the page that has the form, to render it in the response. */
    toPageVisit(): OfficeVisit;
    session: OfficeOutcome['session'] | undefined;
  };

export type OfficeFormHandler = FormHandlerOf<OfficeFormVisit, OfficeOutcome>;
export type Download = DownloadOf<OfficeVisit>;
