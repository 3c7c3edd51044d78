import { createHmac, timingSafeEqual } from 'node:crypto';
import { type OutgoingMessage, type Send, SendFailure } from './channel.ts';

export type TwilioSettings = {
  url: string;
  accountSid: string;
  authToken: string;
  /** A phone number, or the id of a messaging service (MG...). */
  from: string;
  /** The sender's WhatsApp number; null if WhatsApp is off. */
  whatsappFrom: string | null;
  /** The ids (HX...) of the content templates that WhatsApp has approved, by our template name. */
  contents: Readonly<Record<string, string>>;
  /** The URL to which Twilio reports the delivery status. */
  getCallbackUrl: () => string;
};

const TIMEOUT_MS = 5_000;

/** Sends SMS by Twilio's Messages API or a compatible gateway. */
export function createTwilioSmsSender(settings: TwilioSettings, timeoutMs = TIMEOUT_MS): Send {
  const { from } = settings;
  const sender = { [/^MG/.test(from) ? 'MessagingServiceSid' : 'From']: from };
  return ({ phone, text }: Pick<OutgoingMessage, 'phone' | 'text'>) =>
    postMessage(settings, { To: phone!, ...sender, Body: text }, timeoutMs);
}

/**
 * Sends WhatsApp messages by Twilio. WhatsApp accepts only approved templates with variables: 1 is the text, 2 the link, 3 the PIX code.
 * A message without an approved template is sent by the next channel.
 */
export function createTwilioWhatsappSender(settings: TwilioSettings, timeoutMs = TIMEOUT_MS): Send {
  const { whatsappFrom, contents } = settings;
  return async ({ phone, template, text, link, code }) => {
    const contentSid = contents[template];
    if (contentSid === undefined) throw new SendFailure('no_content', { isPermanent: true, isGeneral: true });
    const variables = { 1: toSingleLine(text), 2: link ?? '-', 3: code ?? '-' };
    const form = {
      To: `whatsapp:${phone}`,
      From: `whatsapp:${whatsappFrom}`,
      ContentSid: contentSid,
      ContentVariables: JSON.stringify(variables),
    };
    return postMessage(settings, form, timeoutMs);
  };
}

/** WhatsApp refuses variables with line breaks or more than four blanks in a row. */
const toSingleLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

async function postMessage(settings: TwilioSettings, form: Record<string, string>, timeoutMs: number) {
  const { url, accountSid, authToken, getCallbackUrl } = settings;
  const messagesUrl = `${url}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const response = await fetch(messagesUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    body: new URLSearchParams({ ...form, StatusCallback: getCallbackUrl() }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(throwUnreachable);
  const body = await response.text().catch(throwUnreachable);
  if (response.ok) return { providerId: readSid(body) };
  throw toSendFailure(response.status, body);
}

/**
 * Checks in constant time that Twilio signed the request: the signature is the HMAC-SHA1 of the URL and the sorted parameters with the
 * account's secret.
 */
export function isSignedByTwilio(
  authToken: string,
  { url, form, signature }: { url: string; form: URLSearchParams; signature: string },
): boolean {
  const parameterNames = [...new Set(form.keys())].toSorted();
  const signedParts = parameterNames.flatMap((name) => form.getAll(name).map((value) => name + value));
  const expectedSignature = createHmac('sha1', authToken)
    .update(url + signedParts.join(''))
    .digest();
  const sentSignature = Buffer.from(signature, 'base64');
  return (
    sentSignature.length === expectedSignature.length && timingSafeEqual(sentSignature, expectedSignature)
  );
}

function throwUnreachable(error: unknown): never {
  const reason = (error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable';
  throw new SendFailure(reason, { isPermanent: false, isGeneral: true });
}

function toSendFailure(status: number, body: string): SendFailure {
  const code = readErrorCode(body);
  const reason = code === undefined ? `http_${status}` : `twilio_${code}`;
  if (status === 429 || status >= 500)
    return new SendFailure(reason, { isPermanent: false, isGeneral: true });
  // A redirect, wrong credentials or an unknown account: no message can be sent until the operator fixes it.
  const isGeneral = status < 400 || [401, 403, 404].includes(status);
  return new SendFailure(reason, { isPermanent: true, isGeneral });
}

function readSid(body: string): string | null {
  const { sid } = parseBody(body);
  return typeof sid === 'string' ? sid : null;
}

/** Reads Twilio's error number. Ignores its `message`, which contains the recipient's phone number. */
function readErrorCode(body: string): number | undefined {
  const { code } = parseBody(body);
  return Number.isSafeInteger(code) ? (code as number) : undefined;
}

/** Returns an empty object if the body is not JSON, e.g. the error page of a proxy. */
function parseBody(body: string): { code?: unknown; sid?: unknown } {
  try {
    return (JSON.parse(body) ?? {}) as { code?: unknown; sid?: unknown };
  } catch {
    return {};
  }
}
