import type { ComponentChildren, VNode } from 'preact';
import type { Elsewhere, Page } from '../server/page.ts';
import type { Flash, Sent } from '../server/visit.ts';
import type { Role, StaffClient, StaffSchemas } from './staff/client.ts';

export type Who = { id: string; name: string; role: Role; email: string | null };
type Entered = StaffSchemas['StaffEntered'];

/** Shown once; the last two only in the answer to the form itself. */
export type OfficeFlash = Flash & {
  /** Somebody has changed it since the form was shown. */
  isConflict?: boolean;
  /** What was found out, to be shown above the form. */
  found?: ComponentChildren;
};

/** What a page of the office is made from. */
export type OfficeVisit = {
  /** With the session of who is signed in. */
  api: StaffClient;
  /** Undefined where nobody has signed in, or the second factor is missing. */
  who: Who | undefined;
  /** Somebody whose second factor is missing. */
  begun: Pick<Entered, 'next' | 'methods'> | undefined;
  path: string;
  params: Record<string, string>;
  search: URLSearchParams;
  flash: OfficeFlash | undefined;
  isSandbox: boolean;
  /** The address of the site; null: no links to it. */
  publicSite: string | null;
  /** An idempotency key for each form shown. */
  formKey(): string;
  sealer: Sealer;
};

/** For what is kept in an address for an hour: nobody else can read it or make it up. */
export type Sealer = { seal(value: unknown): string; unseal(text: string): unknown };

/** What is downloaded, as it arrives. */
export type Download = (visit: OfficeVisit) => Promise<{
  headers: Record<string, string | undefined>;
  body: AsyncIterable<Uint8Array | string>;
}>;

/** An element alone is a page with the status 200. */
export type MakeOfficePage = (visit: OfficeVisit) => Promise<VNode | Page | Elsewhere>;

/**
 * The outcome of a form: a redirect (303) and what to keep in cookies. `page` instead of the redirect: nothing was changed, or the
 * same again changes nothing.
 */
export type OfficeOutcome = {
  to: string;
  page?: Page;
  flash?: Flash | undefined;
  /** A new session, or what has become of the one there is. */
  entered?: Pick<Entered, 'session' | 'next' | 'methods' | 'person'>;
  isOver?: true;
};

export type OfficeFormVisit = Pick<OfficeVisit, 'api' | 'params' | 'isSandbox' | 'sealer'> & {
  who: Who | undefined;
  /** The address of the page that has the form. */
  page: string;
  /** The same for the same form with the same content. */
  idempotencyKey: string;
  /** As for a page, at the address of the page that has the form. */
  shown(): OfficeVisit;
  /** What the cookie holds. */
  entered: NonNullable<OfficeOutcome['entered']> | undefined;
};

export type OfficeForm = {
  /** The route of the page that has the form, for the way back. */
  page: string;
  /** Of the address of that page, where it is not without. */
  query?(sent: Sent): string;
  /** For who has not signed in yet, or not wholly. */
  isOpen?: true;
  /** The service may take longer than for a page. */
  isSlow?: true;
  act(visit: OfficeFormVisit, sent: Sent): Promise<OfficeOutcome>;
};
