import { defineProblem } from '#platform/problem.ts';

export const NO_MESSAGE = {
  en: 'No message to a customer has this id.',
  pt: 'Nenhuma mensagem a um cliente tem este id.',
};

export const messageUnderWay = defineProblem({
  code: 'message_under_way',
  status: 409,
  title: { en: 'The message is still being sent', pt: 'A mensagem ainda está sendo enviada' },
  cause: 'It is queued, or it is tried again by itself.',
  remedy: 'Wait until it is sent, or has failed.',
  detail: { en: 'It is still being sent.', pt: 'Ela ainda está sendo enviada.' },
});

export const messageNotKept = defineProblem({
  code: 'message_not_kept',
  status: 409,
  title: { en: 'The message cannot be sent again', pt: 'A mensagem não pode ser enviada de novo' },
  cause: 'Of codes and offers nothing is kept that could be sent again.',
  remedy: 'Let the customer ask for another code, or the merchant make another offer.',
  detail: {
    en: 'Nothing of it is kept that could be sent again.',
    pt: 'Não guardamos dela nada que possa ser enviado de novo.',
  },
});

export const messageNotSent = defineProblem({
  code: 'message_not_sent',
  status: 503,
  title: { en: 'The message was not sent', pt: 'A mensagem não foi enviada' },
  cause: 'The channel is not set up, or its provider refused the message or did not answer.',
  remedy: 'Look up the reason in the provider’s documentation; check the settings of the channel.',
  detail: (reason: string) => ({
    en: `The message was not sent: ${reason}.`,
    pt: `A mensagem não foi enviada: ${reason}.`,
  }),
});

export const tooManyTests = defineProblem({
  code: 'too_many_test_messages',
  status: 429,
  title: { en: 'Too many test messages', pt: 'Mensagens de teste demais' },
  cause: 'A person may send 20 in an hour.',
  remedy: 'Wait as long as `Retry-After` says.',
  detail: (seconds: string) => ({
    en: `Too many test messages. Wait ${seconds} seconds.`,
    pt: `Mensagens de teste demais. Espere ${seconds} segundos.`,
    headers: { 'retry-after': seconds },
  }),
});

export const versionTaken = defineProblem({
  code: 'version_taken',
  status: 409,
  title: { en: 'The version is published already', pt: 'A versão já foi publicada' },
  cause: 'A published text never changes: customers have agreed to it.',
  remedy: 'Publish the text under another version.',
  detail: (version: string) => ({
    en: `Version ${version} is published already.`,
    pt: `A versão ${version} já foi publicada.`,
  }),
});
