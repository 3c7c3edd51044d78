import type { Translations } from '#platform/http/portuguese.ts';

export const customersPortuguese: Translations = {
  'Send the token of the customer in the header x-token.': 'Envie o token do cliente no cabeçalho x-token.',
  'The customer of the token in x-token is gone.': 'O cliente do token em x-token não existe mais.',
  'The session of the token in x-token has ended.': 'A sessão do token em x-token terminou.',
  'The token in x-token has expired.': 'O token em x-token expirou.',
  'The token in x-token is signed with a key that was retired.':
    'O token em x-token foi assinado com uma chave aposentada.',
  'The token in x-token is not one of ours.': 'O token em x-token não é nosso.',
  'The token in x-token was issued through another partner.':
    'O token em x-token foi emitido por outro parceiro.',
  'The refresh token was issued through another partner.': 'O refresh token foi emitido por outro parceiro.',
  'The refresh token has expired.': 'O refresh token expirou.',
  'This refresh token was used before, so its session has been ended.':
    'Este refresh token já foi usado, e por isso a sessão dele foi encerrada.',
  'The session of this refresh token has ended.': 'A sessão deste refresh token terminou.',
  'You have no session with this id.': 'Você não tem sessão com este id.',
  'Log in again.': 'Entre de novo.',
  'The refresh token is not one of ours.': 'O refresh token não é nosso.',
  'The phone or what proves it is not right.': 'O telefone ou o que o comprova não confere.',
  'Nobody has registered this phone.': 'Ninguém tem cadastro com este telefone.',
  'The code can be used to sign up.': 'O código serve para fazer o cadastro.',
  'There is a customer with this CPF already.': 'Já existe um cliente com este CPF.',
  'There is a customer with this phone already.': 'Já existe um cliente com este telefone.',
  'A customer has this phone.': 'Um cliente já tem este telefone.',
  'The code can be used to log in.': 'O código serve para entrar.',
  'Customers are at least {} years old.': 'É preciso ter pelo menos {} anos.',
  'Codes are sent to mobile numbers of {} only.': 'Só enviamos códigos a celulares de {}.',
  'Messages cannot be sent right now.': 'Não é possível enviar mensagens agora.',
  '{} codes for this phone are under way.': 'Há {} códigos em uso para este telefone.',
  'Too many logins are under way.': 'Há acessos demais em andamento.',
  'Too many checks of this phone.': 'Este telefone foi consultado vezes demais.',
  'Too many checks from this address.': 'Vieram consultas demais deste endereço.',
  'Too many logins from this address failed.': 'Falharam acessos demais deste endereço.',
  'Too many wrong passwords.': 'Senhas erradas demais.',
  'Too many wrong passwords for this phone, from many places.':
    'Senhas erradas demais para este telefone, de vários lugares.',
  'The next code cannot be asked for yet.': 'Ainda não é possível pedir outro código.',
  'Too many codes were asked for from this address.': 'Foram pedidos códigos demais deste endereço.',
  "It is made of the customer's own phone, name or e-mail.":
    'Ela é feita do seu próprio telefone, nome ou e-mail.',
  'It is one of the passwords that are tried first.': 'É uma das senhas que se tentam primeiro.',
  'Too many sign-ups were refused.': 'Cadastros demais foram recusados.',
};
