/** Of every answer: it is what it says it is, runs nothing, shows in no frame, and is part of no other site's page. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Of every page besides. */
export const pageSecurityHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** Of every answer under TLS: a browser that was here once never comes back without. */
export const tlsHeaders = { 'Strict-Transport-Security': 'max-age=31536000' };
