import type { Client, components } from '#client';
import type { Elsewhere, Page } from '../server/page.ts';
import type { Message } from '../server/sandbox.ts';

export type Login = components['schemas']['Login'];

/** What was typed, by name of field. */
export type Values = Record<string, string>;
/** What is wrong, by name of field; `form` is about all of it. */
export type Faults = Record<string, string>;

/** What the page at this address is to say the next time it is shown: once, and to its owner only. */
export type Flash = {
  page: string;
  /** Who typed it, as `Sessions.ownerOf` names people. None: nobody was signed in. */
  owner?: string | undefined;
  values?: Values;
  faults?: Faults;
  note?: string;
};

/** A code is on its way to this phone, and what it is for. */
export type Proof = {
  phone: string;
  challengeId: string;
  /** Where to go once signed in. */
  to?: string | undefined;
  invitation?: string | undefined;
  /** What a customer who is signed in wants to change with it; the other phone has a code of its own. */
  own?: { email?: string; phone?: string; challengeId?: string; leave?: true };
  /** How often a wrong code was given. */
  wrong?: number;
};

/** What the bar of the sandbox shows. */
export type Bar = {
  now: string;
  isMoved: boolean;
  messages: Message[];
  /** That was sent for what is under way. */
  code: string | undefined;
  canOffer: boolean;
  /** A form for who signs up is shown. */
  canFillIn: boolean;
};

/** What a page of the wallet is made from. */
export type WalletVisit = {
  /** In the name of the customer, if somebody is signed in. */
  api: Client;
  siteUrl: string;
  /** Where we are, without the query. */
  path: string;
  params: Record<string, string>;
  query(name: string): string | undefined;
  page(): number;
  who: { name: string; phone: string } | undefined;
  flash: Flash | undefined;
  proof: Proof | undefined;
  /** Something was typed that waits for whoever signs in. */
  hasDraft: boolean;
  /** As the service has it. */
  now: Date;
  bar: Bar | undefined;
  /** A new one for each form that is shown: sent twice, it is done once. It names who the form was shown to. */
  formKey(): string;
};

export type MakeWalletPage = (visit: WalletVisit) => Promise<Page | Elsewhere>;

/** What becomes of a form. Always 303. */
export type Outcome = {
  to: string;
  flash?: Flash | undefined;
  login?: Login;
  proof?: Proof;
  isOver?: true;
};

export type Form = {
  /** The pattern of the page that has it: where one comes back to. */
  page: string;
  /** Only for who is signed in. */
  isPrivate: boolean;
  act(visit: FormVisit, sent: Sent): Promise<Outcome>;
};

export type FormVisit = Pick<WalletVisit, 'api' | 'who' | 'proof' | 'params'> & {
  /** The address of the page that has the form. */
  page: string;
  /** Where to go after this login: to what this customer had typed, else to `to`, else home. */
  afterLogin(login: Login, to?: string): string;
  refreshToken: string | undefined;
  /** The same for the same form with the same content. */
  idempotencyKey: string;
  sandbox: import('../server/sandbox.ts').Sandbox | undefined;
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

  /** Not trimmed: a password may begin with a space. */
  secret(name: string): string {
    return this.#fields.get(name) ?? '';
  }

  /** All that may be shown again: no passwords. */
  values(): Values {
    const kept = [...this.#fields].filter(([name]) => !SECRET.has(name));
    return Object.fromEntries(kept.map(([name, value]) => [name, value.trim().slice(0, LONGEST)]));
  }
}

const SECRET = new Set(['password', 'chave']);
/** What is typed travels in a cookie when it has to be shown again. */
const LONGEST = 260;
