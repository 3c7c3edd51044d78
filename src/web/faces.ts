import { payFace } from './pay/face.ts';
import type { Face } from './server/face.ts';
import { serve } from './server/server.ts';
import { siteFace } from './site/face.ts';
import { notFoundPage } from './site/notices.tsx';
import { walletFace } from './wallet/face.ts';

/** A new face is one line here. The site comes last: it has whatever belongs to no other. */
const FACES: readonly Face[] = [walletFace, payFace, siteFace];

export const serveFaces = (options: Parameters<typeof serve>[0]) =>
  serve(options, { faces: FACES, notFoundPage });
