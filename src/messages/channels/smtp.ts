import { createTransport } from 'nodemailer';
import { renderQrDataUri } from '#platform/qr-png.ts';
import { type OutgoingMessage, type Send, SendFailure } from './channel.ts';

const TIMEOUT_MS = 10_000;
/** A PIX code begins with the EMV field of its format. Login codes do not. */
const BR_CODE_START = '000201';

/** Sends e-mail by SMTP as text and HTML, with the QR code of a PIX code. */
export function createSmtpSender({ url, from }: { url: string; from: string }, timeoutMs = TIMEOUT_MS) {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  } as Parameters<typeof createTransport>[0]);
  const send: Send = async (message) => {
    if (message.email === null) throw new SendFailure('no_address', { isPermanent: true, isGeneral: false });
    const hasPixCode = message.code?.startsWith(BR_CODE_START) === true;
    try {
      const { messageId } = await transport.sendMail({
        from,
        to: { name: '', address: message.email },
        subject: message.subject,
        text: `${message.text}\n\n${renderSignature(message)}`,
        html: renderHtml(message, { hasPixCode }),
        messageId: `<${message.id}@${readDomain(from)}>`,
        attachments: hasPixCode
          ? [{ filename: 'pix.png', path: renderQrDataUri(message.code!), cid: 'qr' }]
          : [],
      });
      return { providerId: messageId };
    } catch (error) {
      throw toSendFailure(error as { responseCode?: number; code?: string });
    }
  };
  return Object.assign(send, { close: () => transport.close() });
}

/** A 5xx response for the recipient is permanent. All other failures may be temporary. */
function toSendFailure({ responseCode, code }: { responseCode?: number; code?: string }): SendFailure {
  if (code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500)
    return new SendFailure(`smtp_${responseCode}`, { isPermanent: true, isGeneral: false });
  if (code === 'EAUTH') return new SendFailure('smtp_auth', { isPermanent: false, isGeneral: true });
  const reason = responseCode === undefined ? (code ?? 'unreachable').toLowerCase() : `smtp_${responseCode}`;
  return new SendFailure(reason, { isPermanent: false, isGeneral: true });
}

const readDomain = (from: string) => /@([^\s>]+)/.exec(from)?.[1] ?? 'semana';

const renderSignature = ({ creditor: { name, cnpj, address, email } }: OutgoingMessage) =>
  `${name}, CNPJ ${cnpj}\n${address}\n${email}`;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
const toHtmlLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

function renderHtml(message: OutgoingMessage, { hasPixCode }: { hasPixCode: boolean }): string {
  const link =
    message.link === null ? '' : `<p><a href="${escapeHtml(message.link)}">Abrir na carteira</a></p>`;
  const qr = hasPixCode ? '<p><img src="cid:qr" alt="QR do código Pix" width="220" height="220"></p>' : '';
  return `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>${escapeHtml(message.subject)}</title></head>
<body style="font:16px/1.5 sans-serif;color:#1b1b1b;max-width:560px;margin:24px auto;padding:0 16px;overflow-wrap:anywhere">
<h1 style="font-size:20px">${escapeHtml(message.subject)}</h1>
<p>${toHtmlLines(message.text)}</p>${qr}${link}
<p style="font-size:13px;color:#5a5a5a">${toHtmlLines(renderSignature(message))}</p>
</body></html>`;
}
