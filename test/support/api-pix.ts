import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { startHttpServer } from '../servers.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema
type Schemas = Record<string, any>;

/** The schemas of Pix Automático in the Central Bank's API Pix 2.9.0, as published, without descriptions and examples. */
const PUBLISHED_SCHEMAS = new URL('./api-pix-2.9.json', import.meta.url);

/** Errors in the published schemas, and their corrections. Without these the document refuses its own examples. */
const CORRECTIONS: ReadonlyArray<readonly [error: string, correct: (schemas: Schemas) => unknown]> = [
  [
    'RecBase requires idRec and retentativa: a request has no idRec, and nothing is called retentativa',
    ({ RecBase }) => Object.assign(RecBase, { required: ['calendario', 'vinculo'] }),
  ],
  [
    'RecNotification requires a field called atualizacao" with a quote',
    ({ RecNotification }) => Object.assign(RecNotification, { required: ['idRec', 'status', 'atualizacao'] }),
  ],
  [
    'PayloadLocationRecGerada requires tipo, which is not declared and in no example',
    ({ PayloadLocationRecGerada: location }) =>
      Object.assign(location, { required: ['id', 'location', 'criacao'] }),
  ],
  [
    'a location has no scheme, so it is not a uri',
    ({ PayloadLocationRecGerada: location }) =>
      Reflect.deleteProperty(location.properties.location, 'format'),
  ],
  [
    'the patterns of cpf and codMun have literal slashes',
    (schemas) => {
      for (const person of [schemas.PessoaFisicaRecorrencia, schemas.CPF])
        person.properties.cpf.pattern = '^\\d{11}$';
      schemas.DadosPagadorRec.properties.pagador.allOf[1].properties.codMun.pattern = '^\\d{7}$';
    },
  ],
  [
    'DadosPagadorRec requires ispbParticipante, which is inside pagador, and pagador is optional',
    ({ DadosPagadorRec }) => Reflect.deleteProperty(DadosPagadorRec, 'required'),
  ],
  [
    'valor of PixAutomatico is a string, but anyOf requires one of five objects',
    ({ PixAutomatico }) => Reflect.deleteProperty(PixAutomatico.properties.valor, 'anyOf'),
  ],
  [
    'the forms of encerramento have no required field, so that oneOf matches each of them',
    ({ RecEncerramento, CobRAtualizacao }) => {
      for (const { properties } of [RecEncerramento, CobRAtualizacao])
        for (const form of properties.encerramento.oneOf) form.required = Object.keys(form.properties);
    },
  ],
];

export const CORRECTION_REASONS = CORRECTIONS.map(([error]) => error);

/** Returns a function that lists the errors that a value has by the corrected schema of a given name. */
function createSchemaChecker() {
  const schemas: Schemas = JSON.parse(readFileSync(PUBLISHED_SCHEMAS, 'utf8'));
  for (const [, correct] of CORRECTIONS) correct(schemas);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'api-pix', $defs: schemas });
  return (name: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`api-pix#/$defs/${name}`)!;
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
  };
}

const listSchemaErrors = createSchemaChecker();

/** The schemas of the bodies of each call; null if there is no body to check. The pattern matches method, path and status. */
const CALLS: ReadonlyArray<
  readonly [call: RegExp, requestSchema: string | null, responseSchema: string | null]
> = [
  [/^POST \/v2\/locrec 201$/, null, 'PayloadLocationRecGerada'],
  [/^GET \/v2\/locrec\/\d+ 200$/, null, 'PayloadLocationRecCompleta'],
  [/^POST \/v2\/rec 201$/, 'BodyRecBody', 'RecGerada'],
  [/^GET \/v2\/rec\/\w+(\?txid=\w+)? 200$/, null, 'RecCompleta'],
  [/^PATCH \/v2\/rec\/\w+ 200$/, 'BodyRecBodyRevisada', 'RecGerada'],
  [/^PUT \/v2\/cobr\/\w+ 201$/, 'BodyCobRBody', 'CobRGerada'],
  [/^GET \/v2\/cobr\/\w+ 200$/, null, 'CobRCompleta'],
  [/^PATCH \/v2\/cobr\/\w+ 200$/, 'BodyCobRBodyRevisada', 'CobRGerada'],
  [/^POST \/v2\/cobr\/\w+\/retentativa\/[\d-]+ 201$/, null, 'CobRCompleta'],
  [/^PUT \/v2\/webhookrec 200$/, 'BodyWebhookRecConfigBody', null],
  [/^PUT \/v2\/webhookcobr 200$/, 'BodyWebhookCobRConfigBody', null],
  [/^GET \/v2\/webhookrec 200$/, null, 'WebhookRecCompleto'],
  [/^GET \/v2\/webhookcobr 200$/, null, 'WebhookCobRCompleto'],
  [/ [45]\d\d$/, null, 'Problema'],
];

/** Lists the schema errors of a callback. */
export const checkCallback = (path: string, body: unknown): string[] =>
  path.endsWith('/rec')
    ? listSchemaErrors('BodyWebhookRecBody', body)
    : listSchemaErrors('BodyWebhookCobRBody', body);

/** Opens a proxy between client and PSP, which forwards every call and checks it against the schemas. */
export async function openCheckingProxy(pspUrl: string) {
  const calls: string[] = [];
  const schemaErrors: string[] = [];
  const server = createServer((request, response) => void forwardRequest(request, response));
  const forwardRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const { method = 'GET', url = '/', headers } = request;
    const forwardResponse = async (pspResponse: IncomingMessage) => {
      const text = Buffer.concat(await Array.fromAsync(pspResponse as AsyncIterable<Buffer>)).toString();
      if (!/^\/(oauth|v2\/cob\/)/.test(url)) {
        const call = `${method} ${url} ${pspResponse.statusCode}`;
        const callSchemas = CALLS.find(([pattern]) => pattern.test(call));
        // Ids are replaced, so that tests can compare the list of calls.
        calls.push(call.replace(/\/(RR)?[0-9a-zA-Z]{27,35}/g, '/…').replace(/txid=\w+/, 'txid=…'));
        if (!callSchemas) schemaErrors.push(`no schema for ${call}`);
        const [, requestSchema, responseSchema] = callSchemas ?? [null, null, null];
        if (requestSchema) schemaErrors.push(...listSchemaErrors(requestSchema, JSON.parse(body.toString())));
        if (responseSchema) schemaErrors.push(...listSchemaErrors(responseSchema, JSON.parse(text)));
      }
      response.writeHead(pspResponse.statusCode!, pspResponse.headers).end(text);
    };
    const pspRequest = sendRequest(
      pspUrl + url,
      { method, headers },
      (message) => void forwardResponse(message),
    );
    // If the PSP cuts its connection, the proxy cuts the client's.
    pspRequest.on('error', () => response.destroy());
    pspRequest.end(body);
  };
  const { url } = await startHttpServer(server);
  return { url, calls, schemaErrors };
}
