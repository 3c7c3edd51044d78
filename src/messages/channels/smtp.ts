import { createTransport } from 'nodemailer';
import { qrDataUri } from '#platform/qr-png.ts';
import { NotSent, type Outgoing, type Send } from './channel.ts';

const TIMEOUT_MS = 10_000;

/** E-mail by SMTP: text and HTML, with the QR of a PIX code in it. */
export function smtpSender({ url, from }: { url: string; from: string }, timeoutMs = TIMEOUT_MS) {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  } as Parameters<typeof createTransport>[0]);
  const send: Send = async (message) => {
    if (message.email === null) throw new NotSent('no_address', { permanent: true, concernsAll: false });
    const isPixCode = message.code?.startsWith('000201') === true;
    try {
      const sent = await transport.sendMail({
        from,
        to: { name: '', address: message.email },
        subject: message.subject,
        text: `${message.text}\n\n${signatureOf(message)}`,
        html: htmlOf(message, isPixCode),
        messageId: `<${message.id}@${domainOf(from)}>`,
        attachments: isPixCode ? [{ filename: 'pix.png', path: qrDataUri(message.code!), cid: 'qr' }] : [],
      });
      return { providerId: sent.messageId };
    } catch (error) {
      throw notSent(error as { responseCode?: number; code?: string });
    }
  };
  return Object.assign(send, { close: () => transport.close() });
}

/** 5xx to the receiver is final; anything else about the server may pass. */
function notSent({ responseCode, code }: { responseCode?: number; code?: string }): NotSent {
  if (code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500)
    return new NotSent(`smtp_${responseCode}`, { permanent: true, concernsAll: false });
  if (code === 'EAUTH') return new NotSent('smtp_auth', { permanent: false, concernsAll: true });
  const reason = responseCode === undefined ? (code ?? 'unreachable').toLowerCase() : `smtp_${responseCode}`;
  return new NotSent(reason, { permanent: false, concernsAll: true });
}

const domainOf = (from: string) => /@([^\s>]+)/.exec(from)?.[1] ?? 'semana';

const signatureOf = ({ creditor: { name, cnpj, address, email } }: Outgoing) =>
  `${name}, CNPJ ${cnpj}\n${address}\n${email}`;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (one) => ESCAPES[one]!);
const paragraphs = (text: string) => escaped(text).replaceAll('\n', '<br>');

function htmlOf(message: Outgoing, isPixCode: boolean): string {
  const link = message.link === null ? '' : `<p><a href="${escaped(message.link)}">Abrir na carteira</a></p>`;
  const qr = isPixCode ? '<p><img src="cid:qr" alt="QR do código Pix" width="220" height="220"></p>' : '';
  return `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>${escaped(message.subject)}</title></head>
<body style="font:16px/1.5 sans-serif;color:#1b1b1b;max-width:560px;margin:24px auto;padding:0 16px;overflow-wrap:anywhere">
<h1 style="font-size:20px">${escaped(message.subject)}</h1>
<p>${paragraphs(message.text)}</p>${qr}${link}
<p style="font-size:13px;color:#5a5a5a">${paragraphs(signatureOf(message))}</p>
</body></html>`;
}
