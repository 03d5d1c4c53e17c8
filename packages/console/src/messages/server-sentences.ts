import type { Messages } from './en.ts';

/** For texts of the server that stand alone. */
export const asSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const nothingHas = /^nothing in the station has the (\w+|label key) ("(?:[^"\\]|\\.)*")/s;
const noType = /^there is no resource type ("(?:[^"\\]|\\.)*")/s;
const noState = /^("(?:[^"\\]|\\.)*") is not a usual state/s;
const meant = /; did you mean ("(?:[^"\\]|\\.)*")\?$/s;

/** What the server thinks was meant by filters that match nothing, in the words of the console. */
export function hintIn({ hints, facets }: Messages, hint: string): string {
  const nearest = meant.exec(hint)?.[1];
  const end = nearest === undefined ? '' : hints.didYouMean(nearest);
  const [, what, value] = nothingHas.exec(hint) ?? [];
  if (what !== undefined && value !== undefined) {
    const name = what === 'label key' ? hints.labelKey : facets.names[what as keyof typeof facets.names];
    if (name !== undefined) return hints.nothingHas(name, value) + end;
  }
  const type = noType.exec(hint)?.[1];
  if (type !== undefined) return hints.noType(type) + end;
  const state = noState.exec(hint)?.[1];
  if (state !== undefined) return hints.noState(state) + end;
  return asSentence(hint);
}

/** Why a source is down, in Chinese; `$1` and so on are what differs from fault to fault. */
const chinese: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^refuses connections$/, '拒绝连接'],
  [/^broke off the connection$/, '中断了连接'],
  [/^broke off its answer$/, '应答中途中断'],
  [/^was interrupted$/, '查询被中断'],
  [/^cannot be reached$/, '无法连接'],
  [/^cannot be reached: host name not found$/, '无法连接：找不到主机名'],
  [/^cannot be reached: the lookup of its host name failed$/, '无法连接：主机名解析失败'],
  [/^cannot be asked \((.+)\)$/s, '无法查询（$1）'],
  [
    /^cannot be asked: the file (.+) must hold one line of printable characters$/s,
    '无法查询：文件 $1 须只含一行可打印字符',
  ],
  [
    /^cannot be asked: the variable (.+) must hold one line of printable characters$/s,
    '无法查询：变量 $1 须只含一行可打印字符',
  ],
  [/^cannot be asked: the file (.+) cannot be read \((.+)\)$/s, '无法查询：文件 $1 无法读取（$2）'],
  [/^did not answer within (\S+) s$/, '$1 秒内没有应答'],
  [
    /^is at (.+), a link-local or metadata address; set allow_link_local if that is meant$/s,
    '地址 $1 是链路本地或元数据地址；如确需使用，请设置 allow_link_local',
  ],
  [
    /^answered (\d+): redirects are not followed; configure the final address$/,
    '应答 $1：不跟随重定向，请配置最终地址',
  ],
  [
    /^answered (\d+) at (.+); is it the right server, and does its url end before \/api\?$/s,
    '对 $2 应答 $1；服务器是否正确，url 是否止于 /api 之前？',
  ],
  [/^answered (\d+)$/, '应答 $1'],
  [/^answered (\d+): (.+)$/s, '应答 $1：$2'],
  [/^answered with the encoding (.+)$/s, '应答使用了编码 $1'],
  [/^answered with more than (\d+) bytes$/, '应答超过 $1 字节'],
  [/^answered with more than (\d+) rules$/, '应答超过 $1 条规则'],
  [/^answered with more than (\d+) items$/, '应答超过 $1 项'],
  [/^answered with more than (\d+) characters to keep$/, '应答中须保留的内容超过 $1 个字符'],
  [/^answered with an item of more than (\d+) characters$/, '应答中有一项超过 $1 个字符'],
  [/^answered with (.+) that is not JSON; is the url right\?$/s, '应答 $1 不是 JSON；url 是否正确？'],
  [/^answered with the status (.+?): (.+)$/s, '应答状态为 $1：$2'],
  [/^answered with a warning: (.+)$/s, '应答带有警告：$1'],
  [/^sent unexpected data: (.+)$/s, '返回了意外的数据：$1'],
  [
    /^could not be read: answers of other sources took too much time or memory$/,
    '未能读取：其他数据源的应答占用了过多时间或内存',
  ],
  [/^Roster cannot parse its expression$/, 'Roster 无法解析其表达式'],
  [
    /^the station (.+) does not exist; create it, or correct the source$/s,
    '监控站 $1 不存在；请创建该监控站，或修正数据源配置',
  ],
  [/^its series have not been read yet$/, '其时间序列尚未读取'],
];

/** Why a source is down, or a rule unresolved, in a language; unknown ones stay as they are. */
export function sourceReasonIn(language: 'en' | 'zh', reason: string): string {
  const [, member] = /^another member of the cluster (.+)$/s.exec(reason) ?? [];
  if (language === 'zh' && member !== undefined) return `集群的另一成员${sourceReasonIn(language, member)}`;
  const found = language === 'zh' && chinese.find(([pattern]) => pattern.test(reason));
  return found ? reason.replace(found[0], found[1]) : reason;
}
