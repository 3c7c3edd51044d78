import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listenOnFreePort } from '../servers.ts';

export type FakeMailServer = {
  url: string;
  /** Accepted messages in order. */
  sentMessages: Array<{ to: string; data: string }>;
  /** How the server responds to the next messages. */
  behavior: 'accept' | 'refuse receiver' | 'busy' | 'slow' | 'hang up';
  close(): Promise<void>;
};

/** Starts an SMTP server, which behaves well or badly. */
export async function openFakeMailServer(): Promise<FakeMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    handleConnection(socket);
  });
  const mailServer: FakeMailServer = {
    url: `smtp://127.0.0.1:${await listenOnFreePort(server)}`,
    sentMessages: [],
    behavior: 'accept',
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return mailServer;

  function handleConnection(socket: Socket): void {
    const sendLine = (line: string) => void socket.write(`${line}\r\n`);
    let to = '';
    let data: string[] | undefined;
    let incompleteLine = '';
    sendLine('220 mail.example ESMTP');
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (incompleteLine + text).split('\r\n');
      incompleteLine = lines.pop()!;
      for (const line of lines) {
        if (data) {
          if (line !== '.') data.push(line);
          else {
            mailServer.sentMessages.push({ to, data: data.join('\n') });
            data = undefined;
            sendLine('250 2.0.0 queued');
          }
        } else if (/^EHLO|^HELO/i.test(line)) sendLine('250 mail.example');
        else if (/^MAIL/i.test(line)) {
          if (mailServer.behavior === 'slow') return;
          if (mailServer.behavior === 'hang up') return void socket.destroy();
          sendLine(mailServer.behavior === 'busy' ? '451 4.3.2 try later' : '250 2.1.0 ok');
        } else if (/^RCPT/i.test(line)) {
          to = /<(.*)>/.exec(line)?.[1] ?? '';
          sendLine(mailServer.behavior === 'refuse receiver' ? '550 5.1.1 no such user' : '250 2.1.5 ok');
        } else if (/^DATA/i.test(line)) {
          data = [];
          sendLine('354 go ahead');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else sendLine('250 ok');
      }
    });
  }
}
