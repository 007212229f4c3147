// Ways into a private address: each refused, and none connected to. A listener on this machine counts.
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress, type Resolve } from '../../server/crawl/address.ts';
import type { Failure } from '../../server/crawl/failure.ts';
import { type FetchRules, fetchFrom } from '../../server/crawl/fetchPage.ts';
import { readSitePage } from '../../server/crawl/readSitePage.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { pageReaderFor, USER_AGENT } from './support.ts';

/** Anything that is connected to this was reached by mistake. */
let inside: Server;
let connections = 0;
let port = 0;
/** Plays the machine on the internet that leads on. */
let outside: Server;
let lead: RequestListener = (_, response) => response.end();

const listen = async (server: Server, host: string, at = 0) => {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(at, host, done));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  inside = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  // All addresses of this machine, version 6 too where it has them.
  port = await listen(inside, '::').catch(() => listen(inside, '0.0.0.0'));
  outside = createServer((request, response) => lead(request, response));
  await listen(outside, '127.0.0.1');
});
beforeEach(() => {
  connections = 0;
});
afterAll(() => {
  inside.close();
  outside.close();
});

const outsidePort = () => (outside.address() as AddressInfo).port;

const site = (...domains: string[]) => ({ id: parseSiteId('news.example')!, domains });

const rules = (resolve: Resolve): FetchRules => ({
  resolve,
  allows: isPublicAddress,
  anyPort: false,
  userAgent: USER_AGENT,
  timeout: 100_000,
});

const options = (domains: string[]) => ({ site: site(...domains), accept: '*/*', max: 1000 });

const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error('It was fetched.')),
    (error: { failure: Failure }) => error.failure ?? Promise.reject(error),
  );

describe('an address in the URL, on a host and port that the site calls its own', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback, another one', '127.8.9.10'],
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['octal, all of it', '017700000001'],
    ['hexadecimal', '0x7f.0.0.1'],
    ['hexadecimal, all of it', '0x7f000001'],
    ['two parts', '127.1'],
    ['zero', '0'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['full-width digits', '１２７.０.０.１'],
    ['circled digits', '①②⑦.0.0.1'],
    ['percent-encoded', '%31%32%37.0.0.1'],
    ['trailing dot', '127.0.0.1.'],
    ['private, class A', '10.0.0.1'],
    ['private, class B', '172.16.5.4'],
    ['private, class C', '192.168.1.1'],
    ['link-local: cloud metadata', '169.254.169.254'],
    ['cloud metadata at a public address', '168.63.129.16'],
    ['shared by carriers: cloud metadata', '100.100.100.200'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '[::1]'],
    ['IPv6 loopback, in full', '[0:0:0:0:0:0:0:1]'],
    ['IPv6 unspecified', '[::]'],
    ['IPv4-mapped', '[::ffff:127.0.0.1]'],
    ['IPv4-mapped, in hexadecimal', '[::ffff:7f00:1]'],
    ['IPv4-compatible', '[::127.0.0.1]'],
    ['IPv4-translated', '[::ffff:0:127.0.0.1]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
    ['local NAT64', '[64:ff9b:1::7f00:1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001::1]'],
    ['IPv6 link-local', '[fe80::1]'],
    ['unique local', '[fd00:ec2::254]'],
    ['site-local', '[fec0::1]'],
    ['IPv6 multicast', '[ff02::1]'],
    ['IPv6 documentation', '[2001:db8::1]'],
    ['IPv6 outside the public part', '[4000::1]'],
  ])('%s: %s', async (_, host) => {
    const url = `http://${host}:${port}/`;
    const own = new URL(url).host.replace(/\.:/, ':');
    const resolve: Resolve = async () => Promise.reject(new Error('A number was looked up.'));
    expect(await failureOf(fetchFrom(url, options([own]), rules(resolve)))).toBe('private-address');
    expect(connections).toBe(0);
  });
});

describe('a name of the site', () => {
  test.each<[string, string[], Failure]>([
    ['leads to loopback', ['127.0.0.1'], 'private-address'],
    ['leads to IPv6 loopback', ['::1'], 'private-address'],
    ['leads to a mapped address', ['::ffff:127.0.0.1'], 'private-address'],
    ['leads to a public and a private address', ['93.184.215.14', '10.0.0.1'], 'private-address'],
    ['leads to a private and a public address', ['10.0.0.1', '93.184.215.14'], 'private-address'],
    ['leads to an address with a zone', ['fe80::1%lo'], 'private-address'],
    ['leads to what is no address', ['localhost'], 'private-address'],
    ['leads nowhere', [], 'unknown-host'],
  ])('%s', async (_, addresses, failure) => {
    const url = `http://www.news.example:${port}/`;
    const fetching = fetchFrom(
      url,
      options([`news.example:${port}`]),
      rules(async () => addresses),
    );
    expect(await failureOf(fetching)).toBe(failure);
    expect(connections).toBe(0);
  });
});

describe('a URL that is not one of the site', () => {
  test.each<[string, string, Failure]>([
    ['a file', 'file:///etc/passwd', 'bad-url'],
    ['FTP', 'ftp://news.example/', 'bad-url'],
    ['gopher', 'gopher://news.example:PORT/_x', 'bad-url'],
    ['data', 'data:text/html,hello', 'bad-url'],
    ['a script', 'javascript:alert(1)', 'bad-url'],
    ['no host', 'http:///127.0.0.1:PORT/', 'bad-url'],
    ['a line break', 'http://news.example:PORT/\r\nHost: localhost', 'bad-url'],
    ['the site as user name', 'http://news.example@127.0.0.1:PORT/', 'foreign-host'],
    ['the site as user name and password', 'http://news.example:80@127.0.0.1:PORT/', 'foreign-host'],
    ['a backslash', 'http://127.0.0.1:PORT\\@news.example/', 'foreign-host'],
    ['the site as a subdomain of another', 'http://news.example.evil.example:PORT/', 'foreign-host'],
    ["another's name that ends like the site", 'http://evilnews.example:PORT/', 'foreign-host'],
    ['localhost', 'http://localhost:PORT/', 'foreign-host'],
    ['localhost, with a dot', 'http://LOCALHOST.:PORT/', 'foreign-host'],
    ['a port that the site does not name', 'http://news.example:PORT/', 'foreign-host'],
    ['the port of a mail server', 'http://news.example:25/', 'foreign-host'],
    ['the port of a database', 'https://www.news.example:6379/', 'foreign-host'],
  ])('%s', async (_, template, failure) => {
    const url = template.replace('PORT', String(port));
    expect(
      await failureOf(
        fetchFrom(
          url,
          options([]),
          rules(async () => ['127.0.0.1']),
        ),
      ),
    ).toBe(failure);
    expect(connections).toBe(0);
  });
});

describe('a page of the site that leads on', () => {
  /** The machine on the internet may be connected to once; after that its address is what it is. */
  function onceAllowed(resolve: Resolve): FetchRules {
    let left = 1;
    return {
      ...rules(resolve),
      allows: (address) => isPublicAddress(address) || (address === '127.0.0.1' && left-- > 0),
    };
  }

  const leadTo = (location: string) => {
    lead = (_, response) => response.writeHead(302, { Location: location }).end();
  };

  test.each<[string, string, Failure]>([
    ['to loopback', 'http://127.0.0.1:PORT/', 'private-address'],
    ['to loopback in decimal', 'http://2130706433:PORT/', 'private-address'],
    ['to IPv6 loopback', 'http://[::1]:PORT/', 'private-address'],
    ['to cloud metadata', 'http://169.254.169.254/latest/meta-data/', 'private-address'],
    ['to a private name of the site', 'http://intern.news.example:PORT/', 'private-address'],
    ['to its own name, which means something else now', 'http://news.example:PORT/', 'private-address'],
    ['to another host', 'http://elsewhere.example/', 'foreign-host'],
    ['to another host, without a scheme', '//elsewhere.example/', 'foreign-host'],
    ['to another port', 'http://news.example:6379/', 'foreign-host'],
    ['to a file', 'file:///etc/passwd', 'bad-url'],
    ['to nothing readable', 'http://', 'bad-url'],
  ])('%s', async (_, template, failure) => {
    leadTo(template.replace('PORT', String(port)));
    const start = `http://news.example:${outsidePort()}/`;
    const own = [`news.example:${outsidePort()}`, `news.example:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];
    own.push('169.254.169.254');
    expect(
      await failureOf(
        fetchFrom(
          start,
          options(own),
          onceAllowed(async () => ['127.0.0.1']),
        ),
      ),
    ).toBe(failure);
    expect(connections).toBe(0);
  });

  test.each<[string, string, Failure]>([
    ['to loopback', 'http://127.0.0.1:PORT/a.jpg', 'private-address'],
    ['to loopback, mapped', 'http://[::ffff:127.0.0.1]:PORT/a.jpg', 'private-address'],
    ['to cloud metadata', 'http://169.254.169.254/latest/meta-data/', 'private-address'],
    ['to a private name', 'http://elsewhere.example:PORT/a.jpg', 'private-address'],
    ['to a file', 'file:///etc/passwd', 'bad-url'],
  ])('a picture, which may be on any host, that leads on %s', async (_, template, failure) => {
    leadTo(template.replace('PORT', String(port)));
    const start = `http://pictures.example:${outsidePort()}/a.jpg`;
    const anywhere = { ...options([]), site: undefined };
    const once = { ...onceAllowed(async () => ['127.0.0.1']), anyPort: true };
    expect(await failureOf(fetchFrom(start, anywhere, once))).toBe(failure);
    expect(connections).toBe(0);
  });

  test('a picture on an odd port', async () => {
    const start = `http://pictures.example:${port}/a.jpg`;
    const fetching = fetchFrom(
      start,
      { ...options([]), site: undefined },
      rules(async () => ['93.184.215.14']),
    );
    expect(await failureOf(fetching)).toBe('foreign-host');
    expect(connections).toBe(0);
  });

  test('in circles, or more than five times', async () => {
    let requests = 0;
    lead = (_, response) => response.writeHead(302, { Location: `/${++requests}` }).end();
    const start = `http://news.example:${outsidePort()}/`;
    const everywhere = { ...rules(async () => ['127.0.0.1']), allows: () => true };
    const fetching = fetchFrom(start, options([`news.example:${outsidePort()}`]), everywhere);
    expect(await failureOf(fetching)).toBe('too-many-redirects');
    expect(requests).toBe(6);
  });

  test('through its robots.txt', async () => {
    leadTo(`http://127.0.0.1:${port}/robots.txt`);
    const own = site(`news.example:${outsidePort()}`, `127.0.0.1:${port}`);
    const reader = pageReaderFor(
      onceAllowed(async () => ['127.0.0.1']),
      own,
    );
    expect(await failureOf(readSitePage(own, `http://news.example:${outsidePort()}/a`, reader))).toBe(
      'private-address',
    );
    expect(connections).toBe(0);
  });

  test('a name is looked up once a request: what it means later changes nothing', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookUps = 0;
    lead = (request, response) => response.end(request.socket.localAddress);
    const once = onceAllowed(async () => answers[lookUps++] ?? []);
    const page = await fetchFrom(
      `http://news.example:${outsidePort()}/`,
      options([`news.example:${outsidePort()}`]),
      once,
    );
    expect(page.bytes.toString()).toBe('127.0.0.1');
    expect(lookUps).toBe(1);
  });
});

test('addresses of the public internet are none of these', () => {
  for (const address of ['93.184.215.14', '8.8.8.8', '2606:4700::6810:84e5', '2a00:1450:4001:82f::200e'])
    expect(isPublicAddress(address)).toBe(true);
});
