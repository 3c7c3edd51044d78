import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '#client';
import type { AccountKind, AnyLogin } from './accounts.ts';
import type { FormHandlerOf } from './form.ts';
import type { createQueryReader, PageResult } from './page.ts';
import type { FormSubmission } from './personal-routes.ts';
import type { SandboxClient } from './sandbox.ts';
import type { Flash, Outcome } from './submitted-form.ts';

export type CodeChallenge = {
  phone: string;
  challengeId: string;
  redirectTo?: string | undefined;
  referralCode?: string | undefined;
  /** The code, once the service has verified it and the visitor goes on to sign up. */
  code?: string | undefined;
  /** The change that a signed-in user confirms with the code. */
  pendingChange?: {
    email?: string;
    phone?: string;
    /** The challenge of the code that was sent to the new phone. */
    challengeId?: string;
    closesAccount?: true;
    payoutAccount?: { pix_key: string; holder_name: string; tax_id: string };
  };
  wrongAttempts?: number;
};

export type SandboxBarData = {
  now: string;
  isClockMoved: boolean;
  messages: Awaited<ReturnType<SandboxClient['listMessages']>>;
  /** The last code that was sent to the visitor's phone, while a page asks for one. */
  code: string | undefined;
  /** Whether a demo merchant can send an offer to the signed-in user. */
  canReceiveOffer: boolean;
  canBuy: boolean;
  /** Describes the demo accounts; undefined if a user is signed in. */
  accountsText: string | undefined;
  /** Whether the page has the sign-up form, which the bar can fill in. */
  canFillSignUpForm: boolean;
};

export type PersonalVisit = ReturnType<typeof createQueryReader> & {
  /** Calls the API with the tokens of the signed-in user, if any. */
  api: Client;
  siteUrl: string;
  /** The path of the app's home page. */
  home: string;
  /** The path of the requested page. */
  path: string;
  params: Record<string, string>;
  user: { name: string; phone: string } | undefined;
  flash: Flash | undefined;
  challenge: CodeChallenge | undefined;
  /** Whether a draft waits for its owner to sign in. */
  hasDraft: boolean;
  now: Date;
  sandboxBar: SandboxBarData | undefined;
  sandbox: SandboxClient | undefined;
  /** Creates an idempotency key for each rendered form. The key contains the owner of the form. */
  createFormKey(): string;
};

/** The part of a visit that layouts render. Error pages have it too. */
export type LayoutContext = Pick<
  PersonalVisit,
  'user' | 'sandboxBar' | 'home' | 'path' | 'flash' | 'createFormKey'
>;

export type PersonalPageHandler = (visit: PersonalVisit) => Promise<PageResult>;

export const VisitContext = createContext<LayoutContext | undefined>(undefined);
export const useVisit = (): LayoutContext => useContext(VisitContext)!;

/** An outcome with the login, or the challenge of a code, to store in cookies. */
export type FormOutcome = Outcome & { login?: AnyLogin; challenge?: CodeChallenge; endsSession?: true };

export type FormHandler = FormHandlerOf<FormVisit, FormOutcome>;

export type FormVisit = FormSubmission &
  Pick<PersonalVisit, 'api' | 'user' | 'challenge' | 'sandbox'> & {
    /** The kind of account that signs in to this app. */
    accounts: AccountKind;
    /** Returns the path to redirect to after this login: the user's draft, else `redirectTo`, else the home of the app. */
    choosePathAfterLogin(login: AnyLogin, redirectTo?: string): string;
    refreshToken: string | undefined;
  };
