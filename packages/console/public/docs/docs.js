SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
});
