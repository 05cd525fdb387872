/**
 * Nothing at run time: the fuzz tests are test code, in the packages of what they read. Without any class Maven warns of an
 * empty jar and of missing classes in each build.
 */
@NullMarked
package io.lockkeeper.fuzz;

import org.jspecify.annotations.NullMarked;
