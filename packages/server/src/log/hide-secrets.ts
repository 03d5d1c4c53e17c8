const token = /(roster(?:_|%5[fF]))[0-9A-Za-z]{20,}/g;
/** Matches everything that it looks at, so the search is linear. */
const perhapsJwt = /(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2}))eyJ[\w-]*(?:\.[\w-]*)*/g;
const minJwtLength = 20;

/** Hides tokens and JWTs that someone put into the text by mistake. */
export function hideSecrets(text: string): string {
  const withoutTokens = text.includes('roster') ? text.replace(token, '$1[hidden]') : text;
  return withoutTokens.includes('eyJ') ? withoutTokens.replace(perhapsJwt, hideJwt) : withoutTokens;
}

function hideJwt(text: string): string {
  return text.length >= minJwtLength && text.split('.', 3).length === 3 ? '[hidden]' : text;
}
