import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { createCommandRunner } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { newStaffUser } from '../../../test/support/staff.ts';
import { inspectImage } from './image.ts';

const service = await openService();
const run = createCommandRunner(service);
const directory = await mkdtemp(join(tmpdir(), 'semana-media-'));
after(() => rm(directory, { recursive: true, force: true }));

function buildPng(width: number, height: number, salt = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of red, green and blue. The last byte makes pictures of the same size differ.
  header.set([8, 2, 0, 0, salt], 8);
  const buildChunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    buildChunk('IHDR', header),
    buildChunk('IDAT', deflateSync(Buffer.alloc(10))),
  ]);
}
/** Returns why a picture is refused, or 'accepted'. */
const findRefusal = (bytes: Buffer) => {
  const image = inspectImage(bytes);
  return 'en' in image ? image.en : 'accepted';
};

const buildSvg = (content: string, attributes = 'width="40" height="30"') =>
  Buffer.from(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

const upload = async (method: string, path: string, bytes: Buffer, headers: Record<string, string> = {}) => {
  const response = await fetch(service.staffUrl + path, {
    method,
    body: new Uint8Array(bytes),
    headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/octet-stream', ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
};
const callStaff = (method: string, path: string, body?: object) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body && { body }) });

test('the type of a picture is detected from its bytes', () => {
  const jpeg = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc0001108001e00280301220000000000',
    'hex',
  );
  const losslessWebp = Buffer.concat([
    Buffer.from('RIFF0000WEBPVP8L0000/'),
    Buffer.from([39, 64, 7, 0]),
    Buffer.alloc(8),
  ]);
  const extendedWebp = Buffer.concat([
    Buffer.from('RIFF0000WEBPVP8X00000000'),
    Buffer.from([39, 0, 0, 29, 0, 0]),
  ]);
  const lossyWebp = Buffer.concat([Buffer.from('RIFF0000WEBPVP8 0000......'), Buffer.from([40, 0, 30, 0])]);
  const size = { width: 40, height: 30 };
  assert.deepEqual(inspectImage(buildPng(40, 30)), { type: 'image/png', extension: 'png', ...size });
  assert.deepEqual(inspectImage(jpeg), { type: 'image/jpeg', extension: 'jpg', ...size });
  for (const webp of [losslessWebp, extendedWebp, lossyWebp])
    assert.deepEqual(inspectImage(webp), { type: 'image/webp', extension: 'webp', ...size });
  assert.deepEqual(inspectImage(buildSvg('<path d="M0 0"/>')), {
    type: 'image/svg+xml',
    extension: 'svg',
    ...size,
  });
  assert.deepEqual(inspectImage(buildSvg('', 'viewBox="0 0 1 1"')), {
    type: 'image/svg+xml',
    extension: 'svg',
    width: null,
    height: null,
  });
  for (const text of ['', 'GIF89a', '<html></html>', '{}', '\x89PNG', 'ÿØ'])
    assert.match(findRefusal(Buffer.from(text, 'latin1')), /is not a PNG/, text);
  assert.match(findRefusal(buildPng(4_097, 1)), /4097 by 1 pixels/);
  assert.match(findRefusal(buildPng(0, 1)), /no pixels/);
});

test('an SVG that could run code or load resources is refused', () => {
  for (const harmfulContent of [
    '<script>alert(1)</script>',
    '<SCRIPT/>',
    '<rect onload="alert(1)"/>',
    '<rect\nonclick=alert(1) />',
    '<a href="javascript:alert(1)"><rect/></a>',
    '<image href="https://evil.example/x.png"/>',
    '<use xlink:href="//evil.example/x.svg#a"/>',
    '<foreignObject><body/></foreignObject>',
    '<style>@import "https://evil.example/x.css";</style>',
    '<rect style="fill:url(https://evil.example)"/>',
    '<a href="&#106;avascript:alert(1)"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
    '<desc><![CDATA[<!--]]></desc><script>alert(1)</script><desc><![CDATA[-->]]></desc>',
    '<image><set attributeName="xlink:href" to="https://evil.example/x.png"/></image>',
    '<scr\x1b(Bipt>alert(1)</scr\x1b(Bipt>',
    '<rect style="background:image-set(&quot;https://evil.example/x.png&quot; 1x)"/>',
    `<style>g{mask:-webkit-image-set('https://evil.example/x.png' 1x)}</style>`,
    '<style>g{background:image("https://evil.example/x.png")}</style>',
    '<rect fill="src(https://evil.example/x.png)"/>',
  ])
    assert.equal('en' in inspectImage(buildSvg(harmfulContent)), true, harmfulContent);
  for (const declaration of ['<!ENTITY a "b">', '<!ATTLIST svg onload CDATA "alert(1)">'])
    assert.equal('en' in inspectImage(Buffer.from(`<!DOCTYPE svg [${declaration}]><svg></svg>`)), true);
  for (const harmlessContent of [
    '<use href="#a"/>',
    '<rect fill="url(#g)"/>',
    '<image href="data:image/png;base64,AA"/>',
  ])
    assert.equal('en' in inspectImage(buildSvg(harmlessContent)), false, harmlessContent);
});

test('an SVG with escapes in its styles is refused, because they can hide a reference', () => {
  for (const harmfulContent of [
    '<rect style="fill:\\75rl(https://evil.example)"/>',
    '<style>@\\69mport "https://evil.example/x.css";</style>',
    '<rect fill="u\\72l(https://evil.example)"/>',
  ])
    assert.match(findRefusal(buildSvg(harmfulContent)), /backslash/);
});

test('an SVG with so many <use> that they could expand to billions of elements is refused', () => {
  const buildGroup = (i: number) => `<g id="l${i}">${`<use href="#l${i + 1}"/>`.repeat(2)}</g>`;
  const nestedGroups = Array.from({ length: 9 }, (_, i) => buildGroup(i)).join('');
  for (const content of [
    `<defs>${nestedGroups}<rect id="l9"/></defs>`,
    "<x:use xlink:href='#a'/>".repeat(11),
  ])
    assert.match(findRefusal(buildSvg(content)), /more than 10 <use>/);
  assert.equal(findRefusal(buildSvg('<use href="#a"/>'.repeat(10))), 'accepted');
});

test('an SVG that is designed to make the inspection slow is inspected quickly', () => {
  const repetitions = 300_000;
  assert.match(findRefusal(Buffer.from('<!--a-->'.repeat(repetitions))), /is not a PNG/);
  for (const content of [
    '<!--'.repeat(repetitions),
    '<!doctype'.repeat(repetitions),
    `<use href=${' '.repeat(repetitions)}"#a" />`,
    `<use href="#a"/>${'<g id="b">'.repeat(repetitions)}`,
    `<style>url(${' '.repeat(repetitions)}#a)</style>`,
  ])
    assert.equal('en' in inspectImage(buildSvg(content)), false);
});

test('an uploaded picture is served by every node under a name derived from its content', async () => {
  const bytes = buildPng(64, 32);
  const createResponse = await upload('POST', '/admin/media', bytes, { 'content-type': 'text/html' });
  assert.equal(createResponse.status, 201, JSON.stringify(createResponse.body));
  const { name, url, type, width, height, size, uses } = createResponse.body;
  assert.deepEqual([type, width, height, size, uses], ['image/png', 64, 32, bytes.length, 0]);
  assert.match(name, /^[0-9a-f]{32}\.png$/);
  const repeatedResponse = await upload('POST', '/admin/media', bytes);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body], [200, createResponse.body]);

  const otherNode = await service.startNode();
  const fileResponse = await fetch(otherNode.partnerUrl + url);
  assert.deepEqual(Buffer.from(await fileResponse.arrayBuffer()), bytes);
  assert.deepEqual(
    ['content-type', 'cache-control', 'content-security-policy'].map((header) =>
      fileResponse.headers.get(header),
    ),
    [
      'image/png',
      'public, max-age=31536000, immutable',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ],
  );
  for (const path of [
    '/media/files/nope',
    `/media/files/${'0'.repeat(32)}.png`,
    '/media/files/../../etc/passwd',
  ])
    assert.equal((await fetch(otherNode.partnerUrl + path)).status, 404, path);
  await otherNode.stop();
});

test('a picture that a merchant or post uses cannot be deleted; an unused one can', async () => {
  const logo = buildSvg('<circle r="4"/>');
  const updateResponse = await upload('PUT', '/admin/merchants/otica-lume/logo', logo);
  assert.equal(updateResponse.status, 200, JSON.stringify(updateResponse.body));
  const { logo_url } = updateResponse.body;
  assert.match(logo_url, /^\/media\/files\/[0-9a-f]{32}\.svg$/);
  assert.ok((await service.get('/public/merchants/otica-lume')).body.logo_url.endsWith(logo_url));
  const staleResponse = await upload('PUT', '/admin/merchants/otica-lume/logo', buildPng(1, 1, 7), {
    'if-match': '"x"',
  });
  assert.equal(staleResponse.status, 412);
  const [post] = (await callStaff('GET', '/admin/posts?limit=1')).body.data;
  const coverResponse = await upload('PUT', `/admin/posts/${post.slug}/cover`, buildPng(8, 8, 1));
  assert.match(coverResponse.body.cover_url, /\.png$/);
  for (const slug of ['nobody', '%00'])
    assert.equal((await upload('PUT', `/admin/merchants/${slug}/logo`, logo)).status, 404);

  const name = logo_url.split('/').at(-1);
  const logoFile = (await callStaff('GET', '/admin/media')).body.data.find(
    (item: { name: string }) => item.name === name,
  );
  assert.equal(logoFile.uses, 1);
  const refusal = await callStaff('DELETE', `/admin/media/${name}`);
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'still_used']);
  await callStaff('PATCH', '/admin/merchants/otica-lume', { logo_url: null });
  assert.ok((await callStaff('GET', '/admin/media?unused=true')).text.includes(name));
  assert.equal((await callStaff('DELETE', `/admin/media/${name}`)).status, 204);
  assert.equal((await callStaff('DELETE', `/admin/media/${name}`)).status, 404);
  assert.equal((await fetch(service.partnerUrl + logo_url)).status, 404);
});

test('a picture for an unknown record, or with a stale ETag, is not stored', async () => {
  const countBefore = (await callStaff('GET', '/admin/media')).body.pagination.total;
  assert.equal((await upload('PUT', '/admin/merchants/nenhuma/logo', buildPng(7, 7))).status, 404);
  const staleHeaders = { 'if-match': '"stale"' };
  assert.equal(
    (await upload('PUT', '/admin/merchants/otica-lume/logo', buildPng(8, 8), staleHeaders)).status,
    412,
  );
  assert.equal((await callStaff('GET', '/admin/media')).body.pagination.total, countBefore);
});

test('a file over 2 MiB gets 413, an invalid picture gets 422 image_refused, and nothing is stored', async () => {
  const countBefore = (await callStaff('GET', '/admin/media')).body.pagination.total;
  const oversizedFile = Buffer.concat([buildPng(2, 2), Buffer.alloc(2 * 1024 * 1024)]);
  const largeResponse = await upload('POST', '/admin/media', oversizedFile);
  assert.deepEqual([largeResponse.status, largeResponse.body.code], [413, 'payload_too_large']);
  for (const bytes of [Buffer.from('hello'), Buffer.alloc(0), buildSvg('<script/>')]) {
    const { status, body } = await upload('POST', '/admin/media', bytes);
    assert.deepEqual([status, body.code], [422, 'image_refused']);
  }
  const viewer = await newStaffUser(service, 'Vera', 'viewer');
  const viewerResponse = await upload('POST', '/admin/media', buildPng(3, 3), { 'x-api-key': viewer.key });
  assert.deepEqual([viewerResponse.status, viewerResponse.body.code], [403, 'role_missing']);
  assert.equal((await callStaff('GET', '/admin/media')).body.pagination.total, countBefore);
});

test('media create, list and delete from the command line', async () => {
  const filePath = join(directory, 'flor.txt');
  await writeFile(filePath, buildPng(9, 9, 3));
  const path = await run('media create', filePath);
  assert.match(path, /^\/media\/files\/[0-9a-f]{32}\.png$/);
  assert.equal((await fetch(service.partnerUrl + path)).status, 200);
  const name = path.split('/').at(-1)!;
  assert.match(await run('media list', '--unused'), new RegExp(name));
  assert.equal(
    JSON.parse((await run('media list', '--json')).split('\n')[0]!).url.startsWith('/media/files/'),
    true,
  );
  await assert.rejects(run('media delete', name), /Use --yes/);
  await run('media delete', name, '--yes');
  await assert.rejects(run('media delete', name, '--yes'), /No picture has this name/);
  await assert.rejects(run('media create', join(directory, 'none.png')), /cannot be read/);
});

test('leads are found by encrypted text, kind, day and status; can be read, handled and deleted; and the audit trail has no personal data', async () => {
  const sendLead = (body: object) => service.post('/public/leads', body);
  const [anaResponse] = await Promise.all([
    sendLead({
      kind: 'partner',
      name: 'Ana Wanderléia',
      email: 'ana@doceria.example',
      company: 'Doceria Céu',
      message: 'Olá',
    }),
    sendLead({ kind: 'contact', name: '=SOMA(1)', phone: '+5511987651234' }),
  ]);
  const listLeads = async (query: string) => (await callStaff('GET', `/admin/leads?${query}`)).body;
  for (const [query, count] of [
    ['q=wander', 1],
    ['q=WANDERLEIA+an', 1],
    ['q=doceria', 1],
    ['q=ceu+ana', 1],
    ['q=%2B5511987651234', 1],
    ['q=olá', 0],
    ['q=%21%21', 0],
    ['kind=partner&q=ana', 1],
    ['kind=contact&q=ana', 0],
    ['status=handled', 0],
    ['from=2020-01-01&to=2020-12-31', 0],
    ['from=2020-01-01&status=new', 2],
  ] as const)
    assert.equal((await listLeads(query)).pagination.total, count, query);
  const path = `/admin/leads/${anaResponse!.body.id}`;
  const getResponse = await callStaff('GET', path);
  assert.deepEqual(
    [getResponse.body.name, getResponse.body.message, getResponse.body.status],
    ['Ana Wanderléia', 'Olá', 'new'],
  );
  const ifMatch = { 'if-match': getResponse.headers.get('etag')! };
  const change = { status: 'handled', note: 'Ligamos para Ana' };
  const changeResponse = await service.staff('PATCH', path, {
    key: OPERATOR_KEY,
    body: change,
    headers: ifMatch,
  });
  assert.deepEqual([changeResponse.body.status, changeResponse.body.note], ['handled', 'Ligamos para Ana']);
  const staleResponse = await service.staff('PATCH', path, {
    key: OPERATOR_KEY,
    body: { note: null },
    headers: ifMatch,
  });
  assert.equal(staleResponse.status, 412);
  assert.equal((await callStaff('PATCH', path, { note: null })).body.note, null);

  const csvResponse = await fetch(`${service.staffUrl}/admin/leads`, {
    headers: { 'x-api-key': OPERATOR_KEY, accept: 'text/csv' },
  });
  const lines = (await csvResponse.text()).trim().split('\r\n');
  assert.equal(lines.length, 3);
  assert.ok(
    lines.some((line) => line.includes("'=SOMA(1)")),
    'a spreadsheet must not see a formula',
  );

  assert.match(await run('leads list', '--q', 'doceria'), /Ana Wanderléia/);
  assert.match(await run('leads get', anaResponse!.body.id), /ana@doceria\.example/);
  await run('leads update', anaResponse!.body.id, '--status', 'new', '--note', 'De novo');
  await assert.rejects(run('leads update', anaResponse!.body.id, '--status', 'x'), /one of new, handled/);
  await run('leads delete', anaResponse!.body.id, '--yes');
  assert.equal((await callStaff('GET', path)).status, 404);
  assert.equal((await callStaff('DELETE', path)).status, 404);
  const trailResponse = await callStaff('GET', `/admin/audit-trail?subject=lead:${anaResponse!.body.id}`);
  assert.deepEqual(
    trailResponse.body.data.map(({ action }: { action: string }) => action),
    ['removeLead', 'changeLead', 'changeLead', 'changeLead'],
  );
  assert.doesNotMatch(trailResponse.text, /Wanderl|doceria@|ana@|Ligamos|De novo/);
});
