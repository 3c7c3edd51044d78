import assert from 'node:assert/strict';

/** Sends requests with cookies, as a browser does. */
export class CookieJar {
  readonly cookies: Map<string, string>;
  readonly siteUrl: string;

  constructor(siteUrl: string, cookies: Iterable<[string, string]> = []) {
    this.siteUrl = siteUrl;
    this.cookies = new Map(cookies);
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'sec-fetch-site': 'same-origin', cookie, ...(init.headers as object) };
    const response = await fetch(this.siteUrl + path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value) this.cookies.set(name!, value);
      else this.cookies.delete(name!);
    }
    return response;
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** Returns the content of a page. Fails unless its status is 200. */
  async text(path: string): Promise<string> {
    const response = await this.send(path);
    assert.equal(response.status, 200, `${path}: ${response.status} ${response.headers.get('location')}`);
    return response.text();
  }
}

export const readLocation = (response: Response): string | null => response.headers.get('location');
