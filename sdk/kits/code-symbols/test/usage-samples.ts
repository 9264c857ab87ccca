/**
 * Code by language; the mark at a line's end says what the symbol `foo` is on it: d, c, e (declaration) or r,
 * in order.
 */
export const samples: Readonly<Record<string, string>> = {
  "a.ts": `
import { foo } from "./foo"; //r
import other, { bar as foo } from "x"; //e
export function foo(a: number): void { //d
  foo(a); //c
  this.foo(); //c
  a.b.foo?.(1); //c
  new foo(); //c
  foo.bar(); //r
  x = foo; // foo here does not count //r
  const text = "foo"; //
}
declare function foo(): void; //e
declare const foo: number; //e
class foo extends Base<foo> { //dr
  foo = 1; //d
  foo() {} //d
  abstract foo(): void; //e
  constructor(private foo: string) {} //e
}
interface foo { foo(): void; foo: string } //dee
type foo = number; //d
enum foo { foo, B = 1 } //dd
namespace foo {} //d
const foo = 1, { foo } = x, [foo] = y, { a: foo = 2 } = z; //dddd
for (const foo of foos) {} //d
const f = (foo) => foo, g = foo => 1; //ere
const o = { foo, foo: 1, foo: () => 1, foo() {} }; //rrdd
@foo class C {} //r
foo<number>(1); //c
export { foo }; //r`,
  "b.tsx": `
const a = <Foo x={foo}>foo</Foo>; //r
const foo = () => <div onClick={() => foo()} />; //dc`,
  "a.js": `
function foo() {} //d
class A { foo = 1; #foo = 2; static foo() {} } //ddd
foo(); a.foo(); new foo(); //ccc
foo\`x\`; //c
module.exports = { foo }; //r`,
  "a.py": `
import foo #r
from foo import x as foo #re
@foo #r
def foo(foo, x=1, *foo, y: foo = 2): #deer
    self.foo(foo=1) #cr
    foo = 3 #d
    self.foo = 4 #d
    foo, b = 1, 2 #d
    "foo" #
class foo(foo): #dr
    foo: int = 3 #d
foo() #c
a.foo() #c
for foo in x: pass #d
y = [foo for foo in z] #rd
with open() as foo: pass #d
z = lambda foo: foo #er`,
  "a.go": `
package foo //e
type foo struct { foo int } //dd
type other interface { foo() } //e
func foo(foo int) foo { //der
	foo() //c
	a.foo() //c
	return foo{foo: 1} //rr
}
func (r *foo) foo() {} //rd
var foo = 1 //d
const foo = 1 //d
func x() { foo := 1; foo, b := 2, 3; foo = 2 } //ddr
func y() { go foo(); defer a.foo() } //cc`,
  "a.rs": `
use foo::foo; //rr
fn foo(foo: foo) -> foo { //derr
    foo(); //c
    a.foo(); //c
    foo::bar(); //r
    bar::foo(); //c
    foo!(1); //c
    foo::<i32>(); //c
    let foo = foo; //dr
    let (foo, b) = c; //d
}
struct foo { foo: i32 } //dd
enum E { foo, B(foo) } //dr
trait T { fn foo(&self); type foo; const foo: i32; } //eee
impl foo for foo { fn foo(&self) {} } //rrd
mod foo; //e
mod foo {} //d
const foo: i32 = 1; //d
macro_rules! foo { () => {} } //d`,
  "a.java": `
import a.foo; //r
class foo extends foo implements foo { //drr
  int foo = 1; //d
  foo() {} //d
  int foo(int foo) { //de
    foo(); //c
    this.foo(); //c
    new foo(); //c
    new foo<String>(); //c
    int foo = foo; //dr
    foo.bar(); //r
    return foo; //r
  }
  abstract void foo(); //e
}
interface I { void foo(); } //e
enum foo { foo } //dd
record foo(int foo) {} //de`,
  "a.c": `
#define foo 1 //d
int foo(int foo); //ee
int foo(int foo) { //de
  foo(); //c
  a->foo(); //c
  int foo = 1; //d
  foo = 3; //r
  return foo; //r
}
struct foo { int foo; }; //dd
struct foo; //e
struct foo x; //r
typedef int foo; //d
extern int foo; //e
int *foo[3]; //d`,
  "a.cpp": `
class foo : public foo { public: //dr
  int foo; //d
  void foo(); //e
  virtual void foo() = 0; //e
  void foo() {} //d
};
void A::foo() { ns::foo(); new foo(); foo<int>(1); } //dccc
namespace foo {} //d
using foo = int; //d
template <class foo> foo f(foo t); //err
enum class foo { foo }; //dd
class foo; //e`,
  "a.cs": `
using foo; //r
namespace foo { //d
class foo : foo { //dr
  int foo; //d
  int foo { get; set; } //d
  foo() {} //d
  void foo(int foo) { //de
    foo(); //c
    this.foo(); //c
    a?.foo(); //c
    foo<int>(); //c
    new foo(); //c
    var foo = 1; //d
    foo = 2; //r
  }
  abstract void foo(); //e
}
interface foo { void foo(); } //de
enum foo { foo } //dd
}`,
  "a.rb": `
module Foo; end #
class foo_x; end #
def foo(foo) #de
  foo() #c
  self.foo #c
  a&.foo #c
  foo 1 #c
  @foo = 1 #d
  foo = 2 #d
  "foo" #
end
def self.foo; end #d
attr_accessor :foo #d
alias foo bar #d
x = { foo: 1 } #r
y.each { |foo| foo } #er`,
  "a.php": `<?php
use a\\foo; #r
function foo($foo, foo $x = 1): foo { #derr
  foo(); #c
  $this->foo(); #c
  $this?->foo(); #c
  foo::foo(); #rc
  new foo(); #c
  $foo = 1; #d
  $this->foo = 2; #r
  return $foo; #r
}
class foo extends foo implements foo { #drr
  public $foo = 1; #d
  const foo = 1; #d
  function foo() {} #d
  abstract function foo(); #e
}
interface foo { function foo(); } #de
trait foo {} #d
enum E { case foo; } #d`,
  "a.sh": `
foo() { echo "$foo"; } #dr
foo a b #c
foo=1 #d
x=$(foo) #c`,
  "a.css": `
.foo { color: red } /*d*/
#foo { color: red } /*d*/`,
};
