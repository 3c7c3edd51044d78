import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Page } from './page.ts';

export type FieldValues = Record<string, string>;
/** Errors by field name; `form` is the error of the whole form. */
export type FieldErrors = Record<string, string>;

/** A note, values and errors for the next rendering of a page: shown once, and only to its owner. */
export type Flash = {
  pagePath: string;
  /** `Sessions.computeOwnerId` of the user; undefined if no user was signed in. */
  owner?: string | undefined;
  values?: FieldValues;
  errors?: FieldErrors;
  note?: string;
};

/**
 * The outcome of a form: a redirect (303), and a flash to store. `page` is sent instead of the redirect if nothing was changed, or
 * if repeating the request changes nothing more.
 */
export type Outcome = { redirectTo: string; page?: Page; flash?: Flash | undefined };

/** A form field is invalid; thrown before the service is called. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export class SubmittedForm {
  readonly #fields: URLSearchParams;

  constructor(fields: URLSearchParams) {
    this.#fields = fields;
  }

  /** Returns the trimmed value; '' if the field is missing. */
  readText(name: string): string {
    return this.#fields.get(name)?.trim() ?? '';
  }

  readAllValues(name: string): string[] {
    return this.#fields.getAll(name);
  }

  /** For passwords, which may start with a space. */
  readUntrimmed(name: string): string {
    return this.#fields.get(name) ?? '';
  }

  /** Reads the owner from the idempotency key of the form: the user for whom the form was rendered, if any. */
  readKeyOwner(): string | undefined {
    return this.#fields.get('chave')?.split('.')[1];
  }

  /** Returns undefined if no file was chosen. */
  readUploadedFile(name: string): UploadedFile | undefined {
    return this.#fields instanceof UploadedFields ? this.#fields.files.get(name) : undefined;
  }

  /** Returns the values that may be rendered again: all but passwords and the idempotency key. */
  listRedisplayableValues({ maxLength = MAX_COOKIE_VALUE_LENGTH } = {}): FieldValues {
    const entries = [...this.#fields].filter(([name]) => !UNDISPLAYED_FIELDS.has(name));
    return Object.fromEntries(entries.map(([name, value]) => [name, value.trim().slice(0, maxLength)]));
  }
}

const UNDISPLAYED_FIELDS = new Set(['password', 'chave']);
/** Values are stored in a cookie until they are shown again; longer values are cut. */
const MAX_COOKIE_VALUE_LENGTH = 260;

/** Larger than any picture or content file that the service accepts. */
const MAX_UPLOAD_BYTES = 4 * 1024 * 1024;

export type UploadedFile = {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer<ArrayBuffer>;
};

/** The fields of a form with files. The value of a file field is the hash of its content, so that repeated submissions are recognised. */
export class UploadedFields extends URLSearchParams {
  readonly files = new Map<string, UploadedFile>();
}

/** Accepts multipart forms, so that uploads work without scripts. */
export function acceptUploads(server: FastifyInstance): void {
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES },
    async (request: FastifyRequest, body: Buffer) => parseUpload(body, request.headers['content-type']!),
  );
}

async function parseUpload(body: Buffer, contentType: string): Promise<UploadedFields> {
  const fields = new UploadedFields();
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw Object.assign(new Error('The form cannot be parsed.'), { statusCode: 400 });
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
