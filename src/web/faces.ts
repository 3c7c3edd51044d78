import type { WebOptions } from './open.ts';
import { payFace } from './pay/face.ts';
import type { Face } from './server/face.ts';
import { serve } from './server/server.ts';
import { siteFace } from './site/face.ts';
import { notFoundPage } from './site/notices.tsx';
import { tillFace } from './till/face.ts';
import { walletFace } from './wallet/face.ts';

/** A new face is one line here. The site comes last: it has whatever belongs to no other. */
const FACES: readonly Face[] = [walletFace, payFace, tillFace, siteFace];

export const serveFaces = (options: WebOptions) => serve(options, { faces: FACES, notFoundPage });
