import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** More than the largest picture that the service takes, or file of content. */
const MOST_UPLOAD_BYTES = 4 * 1024 * 1024;

export type UploadedFile = {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer<ArrayBuffer>;
};

/** The fields of a form with files. A file's field is the hash of its content, so that the same form is the same click. */
export class Uploaded extends URLSearchParams {
  readonly files = new Map<string, UploadedFile>();
}

/** Forms with files, which work without scripts. */
export function acceptUploads(server: FastifyInstance): void {
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MOST_UPLOAD_BYTES },
    async (request: FastifyRequest, body: Buffer) => readUpload(body, request.headers['content-type']!),
  );
}

async function readUpload(body: Buffer, type: string): Promise<Uploaded> {
  const fields = new Uploaded();
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw Object.assign(new Error('The form cannot be read.'), { statusCode: 400 });
    });
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value);
    else if (value.size > 0) {
      const bytes = Buffer.from(await value.arrayBuffer());
      fields.append(name, createHash('sha256').update(bytes).digest('base64url'));
      fields.files.set(name, { name: value.name, type: value.type, bytes });
    }
  }
  return fields;
}
