/** In the order in which they are tried for a customer who has chosen none. */
export const CHANNELS = ['whatsapp', 'sms', 'email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The creditor, whom the law wants named in messages about credit (CDC art. 42-A). */
export type Creditor = { name: string; cnpj: string; address: string; email: string };

export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/** A message as a channel gets it. */
export type Outgoing = {
  readonly id: string;
  readonly template: string;
  readonly step: number | null;
  /** E.164; null where nothing but the e-mail is known. */
  readonly phone: string | null;
  readonly email: string | null;
  readonly subscriptions: readonly PushSubscription[];
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  readonly link: string | null;
  readonly creditor: Creditor;
};

/** The provider's id of a message that it accepted for delivery. */
export type Accepted = { providerId: string | null };

/** Returns when the message was accepted for delivery; throws NotSent otherwise. */
export type Send = (message: Outgoing) => Promise<Accepted>;

/** Those that are configured. */
export type Channels = { readonly [C in Channel]?: Send };

/** Why a message was not sent. Contains nothing of the message or its receiver, because it is logged and stored. */
export class NotSent extends Error {
  /** A short code: 'timeout', 'http_503', 'twilio_21211'. */
  readonly reason: string;
  /** Permanent: the same message will not be accepted later either. */
  readonly permanent: boolean;
  /** True when the fault is the sender's, not the receiver's: no message to anybody would be sent. */
  readonly concernsAll: boolean;

  constructor(reason: string, is: { permanent: boolean; concernsAll: boolean }) {
    super(`The message was not sent: ${reason}.`);
    this.reason = reason;
    this.permanent = is.permanent;
    this.concernsAll = is.concernsAll;
  }
}
