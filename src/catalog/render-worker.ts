// The thread that renders posts as HTML: see post-renderer.ts.
import { parentPort } from 'node:worker_threads';
import { postHtml } from './post-html.ts';

export type RenderedPost = { html: string };

parentPort!.on('message', (body: string) => {
  parentPort!.postMessage({ html: postHtml(body) } satisfies RenderedPost);
});
parentPort!.postMessage('ready');
