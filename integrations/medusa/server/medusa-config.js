// Configures a Medusa server that has the provider only. The test sets the environment.
const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: 'test',
      cookieSecret: 'test',
    },
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: '../dist/index.js',
            id: 'semana',
            options: {
              apiUrl: process.env.SEMANA_URL,
              apiKey: process.env.SEMANA_KEY,
              webhookSecret: process.env.SEMANA_WEBHOOK_SECRET,
              returnUrl: process.env.RETURN_URL,
            },
          },
        ],
      },
    },
  ],
});
