/** The channels, in the order in which they are tried by default. */
export const CHANNELS = ['whatsapp', 'sms', 'email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];
/** The channels for a recipient of whom only the phone is known. */
export const PHONE_CHANNELS = ['sms', 'whatsapp'] as const;

/** The creditor, whom messages about credit must name by law (CDC art. 42-A). */
export type Creditor = { name: string; cnpj: string; address: string; email: string };

export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export type OutgoingMessage = {
  readonly id: string;
  readonly template: string;
  /** For reminders: days from the due day, e.g. -3 for three days before it. Null for other templates. */
  readonly step: number | null;
  /** In E.164 format; null if only the e-mail address is known. */
  readonly phone: string | null;
  readonly email: string | null;
  readonly subscriptions: readonly PushSubscription[];
  readonly subject: string;
  readonly text: string;
  /** A login code or a PIX code. */
  readonly code: string | null;
  readonly link: string | null;
  readonly creditor: Creditor;
};

export type AcceptedMessage = { providerId: string | null };

/** Returns when the provider has accepted the message; throws `SendFailure` otherwise. */
export type Send = (message: OutgoingMessage) => Promise<AcceptedMessage>;

export type Channels = { readonly [C in Channel]?: Send };

/** Thrown if a message was not sent. Contains no data of the message or its recipient, because it is logged and stored. */
export class SendFailure extends Error {
  /** A short code: 'timeout', 'http_503', 'twilio_21211'. */
  readonly reason: string;
  /** Whether the provider would refuse the same message later too. */
  readonly isPermanent: boolean;
  /** Whether the cause is on the sender's side, so that messages to all recipients would fail. */
  readonly isGeneral: boolean;

  constructor(reason: string, { isPermanent, isGeneral }: { isPermanent: boolean; isGeneral: boolean }) {
    super(`The message was not sent: ${reason}.`);
    this.reason = reason;
    this.isPermanent = isPermanent;
    this.isGeneral = isGeneral;
  }
}
