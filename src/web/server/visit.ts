import type { Client } from '#client';
import type { Made } from './page.ts';
import type { AnyLogin, PeopleKind } from './people.ts';
import type { Message } from './sandbox.ts';
import { Uploaded, type UploadedFile } from './upload.ts';

/** Typed values by field name. */
export type Values = Record<string, string>;
/** Errors by field name; `form` is the error of the whole form. */
export type Faults = Record<string, string>;

/** A message, values and errors for the next display of a page: shown once, and only to its owner. */
export type Flash = {
  page: string;
  /** `Sessions.ownerOf` of the person; undefined if nobody was signed in. */
  owner?: string | undefined;
  values?: Values;
  faults?: Faults;
  note?: string;
};

/** A code was sent to this phone; what it is for. */
export type Proof = {
  phone: string;
  challengeId: string;
  /** Where to go once signed in. */
  to?: string | undefined;
  invitation?: string | undefined;
  /** The code, once the service has found it right: it is for signing up. */
  code?: string | undefined;
  /** What somebody who is signed in wants to change with it; the other phone has a code of its own. */
  own?: {
    email?: string;
    phone?: string;
    challengeId?: string;
    leave?: true;
    account?: { pix_key: string; holder_name: string; tax_id: string };
  };
  /** The number of wrong codes so far. */
  wrong?: number;
};

/** What the bar of the sandbox shows. */
export type Bar = {
  now: string;
  isMoved: boolean;
  messages: Message[];
  /** The last code that was sent. */
  code: string | undefined;
  /** Who is signed in can be made an offer. */
  canOffer: boolean;
  canBuy: boolean;
  /** There is a till, to be opened beside the wallet. */
  hasTill: boolean;
  /** Accounts to try, until somebody is signed in. */
  accounts: string | undefined;
  /** The sign-up form is shown, and can be filled in. */
  canFillIn: boolean;
};

/** What a page for one person is made from. */
export type PersonalVisit = {
  /** With the person's tokens, if somebody is signed in. */
  api: Client;
  siteUrl: string;
  /** The first page of this face. */
  home: string;
  /** The path of the request, without the query. */
  path: string;
  params: Record<string, string>;
  query(name: string): string | undefined;
  page(): number;
  who: { name: string; phone: string } | undefined;
  flash: Flash | undefined;
  proof: Proof | undefined;
  /** A draft is kept until its owner signs in. */
  hasDraft: boolean;
  /** The service's time. */
  now: Date;
  bar: Bar | undefined;
  sandbox: import('./sandbox.ts').Sandbox | undefined;
  /** An idempotency key for each form shown. It includes whom the form was shown to. */
  formKey(): string;
};

/** What the frame of a page needs: also where the page itself could not be made. */
export type Frame = Pick<PersonalVisit, 'who' | 'bar' | 'home' | 'path' | 'flash' | 'formKey'>;

export type MakePersonalPage = (visit: PersonalVisit) => Promise<Made>;

/** The outcome of a form: a redirect (303) and what to keep in cookies. */
export type FormOutcome = {
  to: string;
  flash?: Flash | undefined;
  login?: AnyLogin;
  proof?: Proof;
  isOver?: true;
};

export type Form = {
  /** The route of the page that has the form, for the way back. */
  page: string;
  /** Requires a session. */
  isPrivate: boolean;
  act(visit: FormVisit, sent: Sent): Promise<FormOutcome>;
};

export type FormVisit = Pick<PersonalVisit, 'api' | 'who' | 'proof' | 'params' | 'sandbox'> & {
  /** The address of the page that has the form. */
  page: string;
  /** Who signs in at this face. */
  people: PeopleKind;
  /** Where to go after this login: to this person's draft, else to `to`, else home. */
  afterLogin(login: AnyLogin, to?: string): string;
  refreshToken: string | undefined;
  /** The same for the same form with the same content. */
  idempotencyKey: string;
};

/** The fields of a form, trimmed. */
export class Sent {
  readonly #fields: URLSearchParams;

  constructor(fields: URLSearchParams) {
    this.#fields = fields;
  }

  text(name: string): string {
    return this.#fields.get(name)?.trim() ?? '';
  }

  /** Every value of a field that is there several times. */
  all(name: string): string[] {
    return this.#fields.getAll(name);
  }

  /** Not trimmed: a password may begin with a space. */
  secret(name: string): string {
    return this.#fields.get(name) ?? '';
  }

  /** Undefined: none was chosen. */
  file(name: string): UploadedFile | undefined {
    return this.#fields instanceof Uploaded ? this.#fields.files.get(name) : undefined;
  }

  /** The same form with these values, and its files. */
  having(values: Values): Sent {
    const fields = new Uploaded(values);
    if (this.#fields instanceof Uploaded)
      for (const [name, file] of this.#fields.files) fields.files.set(name, file);
    return new Sent(fields);
  }

  /** The values that may be shown again: no passwords. */
  values(longest = LONGEST): Values {
    const kept = [...this.#fields].filter(([name]) => !SECRET.has(name));
    return Object.fromEntries(kept.map(([name, value]) => [name, value.trim().slice(0, longest)]));
  }
}

const SECRET = new Set(['password', 'chave']);
/** Longer values are cut where they are kept in a cookie until they are shown again. */
const LONGEST = 260;
